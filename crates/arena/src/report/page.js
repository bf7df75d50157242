"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games-data").textContent);
  const byId = (id) => document.getElementById(id);
  const svgName = "http://www.w3.org/2000/svg";
  const pairs = (text) => {
    const cells = [];
    for (let at = 0; at < text.length; at += 2) {
      cells.push([parseInt(text[at], 36), parseInt(text[at + 1], 36)]);
    }
    return cells;
  };
  const link = (one) => `${data.address}/#/analyse?p=${encodeURIComponent(one.l)}`;
  let game = null, ply = 0, timer = null, shown = 100;

  const fits = (one) => {
    const player = byId("by-player").value, end = byId("by-end").value;
    if (player !== "" && !one.p.includes(Number(player))) return false;
    if (end === "twin") return one.twin !== undefined;
    return end === "" || one.r === end || one.w === end;
  };

  const list = () => {
    const box = byId("games");
    box.replaceChildren();
    const all = data.games.filter(fits);
    byId("games-count").textContent = `${all.length} of ${data.games.length} games`;
    for (const one of all.slice(0, shown)) {
      const row = document.createElement("button");
      const part = (kind, text) => {
        const span = document.createElement("span");
        span.className = kind;
        span.textContent = text;
        row.append(span);
      };
      const winner = { first: 0, second: 1 }[one.w];
      const names = one.p.map((player, side) => (side === winner ? "★ " : "") + data.players[player]);
      part("no", `#${one.n + 1}`);
      part("", names.join(" – "));
      part("end", one.r + (one.twin === undefined ? "" : `, same as #${one.twin + 1}`));
      row.setAttribute("aria-current", one === game);
      row.addEventListener("click", () => select(one));
      box.append(row);
    }
    if (all.length > shown) {
      const more = document.createElement("button");
      more.textContent = `Show more of the ${all.length - shown} others`;
      more.addEventListener("click", () => { shown += 200; list(); });
      box.append(more);
    }
  };

  const draw = () => {
    const board = byId("board");
    const variant = data.variants[game.g];
    const { rows, columns } = variant;
    board.setAttribute("viewBox", `-0.7 -0.7 ${columns + 1.4} ${rows + 1.4}`);
    board.replaceChildren();
    const add = (name, attributes) => {
      const element = document.createElementNS(svgName, name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      board.append(element);
      return element;
    };
    add("rect", { x: -0.6, y: -0.6, width: columns + 1.2, height: rows + 1.2, rx: 0.3, fill: "var(--board)" });
    const place = (column, row) => [column + 0.5, rows - row - 0.5];
    if (variant.falls) {
      const blocked = pairs(variant.blocked).map(String);
      for (let column = 0; column < columns; column++) {
        for (let row = 0; row < rows; row++) {
          const [cx, cy] = place(column, row);
          if (blocked.includes(String([column, row]))) {
            add("path", { d: `M${cx - 0.3} ${cy - 0.3}l.6 .6m0 -.6l-.6 .6`, stroke: "var(--stone-edge)", "stroke-width": 0.14 });
          } else {
            add("circle", { cx, cy, r: 0.41, fill: "var(--hole)" });
          }
        }
      }
    } else {
      const line = (d) => add("path", { d, stroke: "var(--stone-edge)", "stroke-width": 0.03, fill: "none" });
      for (let column = 0; column < columns; column++) line(`M${column + 0.5} 0.5V${rows - 0.5}`);
      for (let row = 0; row < rows; row++) line(`M0.5 ${row + 0.5}H${columns - 0.5}`);
    }
    const moves = pairs(game.o + game.m);
    const before = game.o.length / 2;
    const stone = ([column, row], side, last) => {
      const [cx, cy] = place(column, row);
      const circle = add("circle", { cx, cy, r: 0.41, fill: side ? "var(--second)" : "var(--first)",
        stroke: "var(--stone-edge)", "stroke-width": 0.04 });
      if (last) circle.setAttribute("class", "last");
      return place(column, row);
    };
    (game.x || ["", ""]).forEach((cells, side) => pairs(cells).forEach((cell) => stone(cell, side, false)));
    moves.slice(0, before + ply).forEach((cell, at) => {
      const side = (game.s + at) % 2;
      const [x, y] = stone(cell, side, at === before + ply - 1);
      const text = add("text", { x, y: y + 0.13, "text-anchor": "middle", "font-size": 0.36,
        fill: side ? "var(--first)" : "var(--second)", "font-family": "system-ui, sans-serif" });
      text.textContent = at + 1;
    });
    byId("ply").value = ply;
    const mover = (game.s + before + ply - 1) % 2;
    const facts = [];
    if (ply > 0) {
      facts.push(`Move ${before + ply}: ${data.players[game.p[mover]]}`);
      const time = game.t[ply - 1];
      if (time !== undefined) facts.push(time < 1000 ? `${time} µs` : `${(time / 1000).toFixed(1)} ms`);
      if (game.v[ply - 1]) facts.push(`value ${game.v[ply - 1]}`);
    } else {
      facts.push(before ? `The opening: ${before} moves` : "The empty board");
    }
    if (ply === game.m.length / 2) {
      const winner = { first: 0, second: 1 }[game.w];
      facts.push((winner === undefined ? "Draw" : `${data.players[game.p[winner]]} wins`) + ` (${game.r})`);
    }
    byId("facts").textContent = facts.join(" · ");
    byId("remark").textContent = ply === game.m.length / 2 && game.k ? game.k : "";
  };

  const pause = () => { clearInterval(timer); timer = null; byId("run").textContent = "▶"; };
  const go = (to) => { ply = Math.max(0, Math.min(to, game.m.length / 2)); draw(); };
  const select = (one) => {
    pause();
    game = one;
    byId("ply").max = one.m.length / 2;
    byId("who").textContent = `#${one.n + 1}: ${data.players[one.p[0]]} (dark, first) – ${data.players[one.p[1]]} (light, second), ${data.variants[one.g].name}`;
    byId("analyse").href = link(one);
    go(one.m.length / 2);
    list();
  };

  byId("start").addEventListener("click", () => { pause(); go(0); });
  byId("back").addEventListener("click", () => { pause(); go(ply - 1); });
  byId("next").addEventListener("click", () => { pause(); go(ply + 1); });
  byId("end").addEventListener("click", () => { pause(); go(Infinity); });
  byId("ply").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
  byId("run").addEventListener("click", () => {
    if (timer) { pause(); return; }
    if (ply === game.m.length / 2) go(0);
    byId("run").textContent = "❙❙";
    timer = setInterval(() => { if (ply === game.m.length / 2) pause(); else go(ply + 1); }, 450);
  });
  for (const id of ["by-player", "by-end"]) byId(id).addEventListener("change", () => { shown = 100; list(); });
  byId("replayer").addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") { pause(); go(ply - 1); event.preventDefault(); }
    if (event.key === "ArrowRight") { pause(); go(ply + 1); event.preventDefault(); }
  });
  const wanted = /^#game-(\d+)$/.exec(location.hash);
  const first = wanted && data.games.find((one) => one.n + 1 === Number(wanted[1]));
  if (data.games.length) select(first || data.games[0]);
})();

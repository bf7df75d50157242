/** What the page says, in English and Chinese, which are equals. */

const EN = {
  play: "Play", analyse: "Analyse", review: "Review", watch: "Watch", learn: "Learn",
  chooseGame: "Choose a game", theme: "Light or dark", language: "中文", keys: "Keys", close: "Close",
  red: "Red", yellow: "Yellow", black: "Black", white: "White",
  w: "W", l: "L", winsNow: "wins at once", winsIn: "wins in {n} plies", losesIn: "loses in {n} plies", isDraw: "a draw", winChance: "{n} % expected",
  boardLabel: "Board, {columns} columns and {rows} rows", cellFalls: "column {column}, row {row}", blocked: "blocked",
  stoneOf: "{side} stone", forbiddenPoint: "forbidden point", empty: "empty",
  threatWin: "{side} wins here", threatDouble: "{side} makes two ways to win here",
  connect4: "Connect Four", connectx: "Falling stones", course: "Forbidden cell", gomoku: "Gomoku", standard: "Standard",
  renju: "Renju", caro: "Caro", gobang: "Gobang", mnk: "Any m,n,k",
  connect4About: "7 × 6, four in a row", wideAbout: "9 × 7, five in a row", smallAbout: "5 × 5, four in a row",
  courseAbout: "random 9–12 board, one cell blocked", gomokuAbout: "15 × 15, five or more", standardAbout: "exactly five",
  renjuAbout: "forbidden points for Black", caroAbout: "five, not closed at both ends", gobangAbout: "10 × 10, five or more",
  mnkAbout: "7 × 7, four in a row",
  wide: "Wide five", small: "Small four", ownBoard: "Your own board", family: "Stones", falling: "fall", free: "lie anywhere",
  rows: "Rows", columns: "Columns", inRow: "In a row", rule: "Rule", freestyle: "five or more",
  blockHint: "Click cells to block them.", useBoard: "Use this board",
  newGame: "New game", opponent: "Opponent", level: "Level", engine: "Engine", person: "Second person", strength: "Strength",
  thinkTime: "Thinking time", seconds: "{n} s", options: "Engine options", youPlay: "You play", clock: "Clock", noClock: "no clock",
  minutes: "{n} min", sound: "Sound", start: "Start", undo: "Undo", hint: "Hint", resign: "Resign", swap: "Swap sides",
  yourTurn: "Your turn", turnOf: "{side} to move", thinking: "Thinking …", youWin: "You win", youLose: "You lose", sideWins: "{side} wins",
  draw: "Draw", byLine: "{n} in a row", byTime: "on time", byResign: "by resignation", fullBoard: "nobody can win any more",
  againWith: "Play again", reviewIt: "Review this game", moves: "Moves", noMoves: "No move yet: click a cell, or press a column's key.",
  noMovesFree: "No move yet: click a point on the board.",
  played: "{side} plays {move}", hintIs: "Hint: {move}", searching: "looking for a hint …",
  levelWord1: "first steps", levelWord2: "beginner", levelWord3: "casual", levelWord4: "club", levelWord5: "strong", levelWord6: "expert",
  bestMoves: "Best moves", pause: "Pause", resume: "Analyse", threats: "Threats", hideValues: "Hide values", showValues: "Show values",
  lines: "Lines", gameCard: "Game", comment: "Comment on this move", share: "Share", copyLink: "Copy link", picture: "Picture",
  movesFile: "Moves", replay: "Replay", importIt: "Import", pngFile: "PNG", svgFile: "SVG", sgfFile: "SGF", recordFile: "Game file",
  copied: "Copied", pasteHere: "Paste moves, a position, SGF or a Piskvork file", open: "Open", file: "Choose a file",
  proved: "proved", estimating: "estimate", positions: "{n} positions", simulations: "{n} simulations", memory: "{n} MB", perSecond: "{n} a second",
  details: "Details", paused: "Paused; the results stay.", gameOver: "The game is over here. Step back to analyse.",
  bestIs: "{move} is best: {value}", columnWinsNow: "{move} wins at once", columnWins: "{move} wins by force in {n} plies", allLose: "Every move loses; {move} holds out longest: {n} plies",
  bestDraw: "{move} draws, and nothing is better", columnIs: "column {move}", toStart: "To the start", stepBack: "Back", stepOn: "Forward", toEnd: "To the end", deleteLine: "Delete from here", mainLine: "Make main line",
  numbers: "Move numbers", evalGraph: "Value of the game for {side}, move by move", noEngineValues: "The engine for this game names its move but no values.",
  reviewTitle: "Review", reviewStart: "Review the game", reviewing: "Going over the game … {done} of {total}", reviewNone: "Play or import a game first, then every move is judged here in one click.",
  exact: "Every verdict is proven by the solver.", estimated: "Verdicts come from the engine's estimates.",
  best: "best", good: "good", slip: "slip", blunder: "blunder", best_n: "Best", good_n: "Good", slip_n: "Slips", blunder_n: "Blunders",
  youHad: "{side} had better: {move}, which {value}; {played} {playedValue}.", wasBest: "{move} was the best move: {value}.", wasGood: "{move} was fine: {playedValue}. Best was {best}: {value}.",
  nextSlip: "Next slip", prevSlip: "Previous slip", goAnalyse: "Analyse here",
  watchStart: "Start the match", watchStop: "Stop", first: "First engine", second: "Second engine", games: "Games", speed: "Speed", live: "live",
  opening: "Random opening moves", moveTime: "Time a move", score: "Score", elo: "Elo", asFirst: "as first", asSecond: "as second", winsN: "won", drawsN: "drawn", lossesN: "lost",
  game: "Game {n}", watchNone: "Choose two engines and watch them play. The score, the difference in Elo with its 95 % interval and every game appear here.",
  running: "game {n} of {total}", finished: "finished", stopped: "stopped", evaluations: "What each engine thinks", table: "Games", result: "Result", length: "Moves", starts: "begins",
  swap2: "Swap2 opening", swapOpens: "Who puts the first three stones", swapThree: "Put three stones: black, white, black", swapTwo: "Put a white and a black stone more",
  swapChoose: "Choose a colour, or put two more stones", swapChooseLast: "Choose a colour", swapTake: "Play {side}", swapPutTwo: "Put two more", swapEngineTakes: "The engine takes {side}.", swapEngineTwo: "The engine puts two more stones.",
  stored: "Stored tournaments", storedNone: "Tournaments that are stored beside the server (cup.db) appear here with their tables and games; stoneline serve --store FILE names others.",
  storedBack: "All tournaments", playersN: "{n} players", gamesN: "{n} games", player: "Player", points: "Points", allPlayers: "all players", moreGames: "{n} more games", analyseGame: "Analyse this game",
  puzzle: "Puzzle", winIn: "{side} to move and win in {n}", puzzleGo: "Find the one move that wins by force.", puzzleRight: "Right. Go on: the win is still there.",
  puzzleWrong: "That gives the win away. Try again.", puzzleDone: "Solved!", puzzleNext: "Next puzzle", puzzleAgain: "Start over", puzzleShow: "Show the solution",
  difficulty: "Difficulty", solvedN: "{n} solved in a row", puzzleLoading: "The solver is looking for a puzzle …", puzzleGoFree: "Find a win by force: fours and open threes leave no choice.",
  puzzleBarren: "The solver found no such puzzle on this board. Choose another difficulty or another game.",
  puzzleShown: "The solution; play it through or take the next one.",
  offline: "The server has stopped answering. Start stoneline again, then reload this page with the new address.", retry: "Try again",
  needToken: "This page needs the address that stoneline printed when it started: it holds the token of this run. Open that address.",
  busy: "Others are searching; your turn comes in a moment.", loading: "Loading …",
  keysTitle: "Keys", keyColumns: "play in that column", keyArrows: "through the game; on the board from cell to cell", keyEnter: "play the focused cell", keySpace: "pause or go on with the analysis",
  keyU: "undo", keyH: "hint", keyN: "new game", keyT: "threats", keyHelp: "this list", keyHome: "start and end of the game",
  moveN: "move {n}", you: "You", engineIs: "Engine", hideHint: "Hide the hint", variationOf: "variation", solution: "Solution",
  linkBad: "The link holds no position that can be shown: {reason}", imported: "Imported.",
};

export type Word = keyof typeof EN;

const ZH: Record<Word, string> = {
  play: "对弈", analyse: "分析", review: "复盘", watch: "观战", learn: "练习",
  chooseGame: "选择棋种", theme: "明暗主题", language: "English", keys: "按键", close: "关闭",
  red: "红方", yellow: "黄方", black: "黑方", white: "白方",
  w: "胜", l: "负", winsNow: "立即取胜", winsIn: "{n} 手内必胜", losesIn: "{n} 手内必败", isDraw: "和棋", winChance: "预期得分 {n}%",
  boardLabel: "棋盘，{columns} 列 {rows} 行", cellFalls: "第 {column} 列第 {row} 行", blocked: "禁用格",
  stoneOf: "{side}棋子", forbiddenPoint: "禁手点", empty: "空",
  threatWin: "{side}在此取胜", threatDouble: "{side}在此形成双重威胁",
  connect4: "四子棋", connectx: "重力棋", course: "禁格四子棋", gomoku: "五子棋", standard: "标准五子棋",
  renju: "连珠", caro: "卡罗", gobang: "小五子棋", mnk: "任意 m,n,k",
  connect4About: "7 × 6，四子连线", wideAbout: "9 × 7，五子连线", smallAbout: "5 × 5，四子连线",
  courseAbout: "随机 9–12 棋盘，一格禁用", gomokuAbout: "15 × 15，五子或更多", standardAbout: "恰好五子",
  renjuAbout: "黑方有禁手", caroAbout: "五子且两端不被封死", gobangAbout: "10 × 10，五子或更多",
  mnkAbout: "7 × 7，四子连线",
  wide: "宽盘五子", small: "小盘四子", ownBoard: "自定义棋盘", family: "棋子", falling: "下落", free: "任意落子",
  rows: "行数", columns: "列数", inRow: "连子数", rule: "规则", freestyle: "五子或更多",
  blockHint: "点击格子可将其禁用。", useBoard: "使用此棋盘",
  newGame: "新对局", opponent: "对手", level: "等级", engine: "引擎", person: "双人对弈", strength: "棋力",
  thinkTime: "思考时间", seconds: "{n} 秒", options: "引擎选项", youPlay: "您执", clock: "棋钟", noClock: "不计时",
  minutes: "{n} 分钟", sound: "声音", start: "开始", undo: "悔棋", hint: "提示", resign: "认输", swap: "交换",
  yourTurn: "轮到您", turnOf: "轮到{side}", thinking: "思考中…", youWin: "您赢了", youLose: "您输了", sideWins: "{side}胜",
  draw: "和棋", byLine: "{n} 子连线", byTime: "超时", byResign: "认输", fullBoard: "双方都无法取胜",
  againWith: "再来一局", reviewIt: "复盘这一局", moves: "棋谱", noMoves: "还没有落子：点击棋盘，或按列号。",
  noMovesFree: "还没有落子：点击棋盘上的点。",
  played: "{side}下在 {move}", hintIs: "提示：{move}", searching: "正在寻找提示…",
  levelWord1: "入门", levelWord2: "初学", levelWord3: "业余", levelWord4: "熟手", levelWord5: "高手", levelWord6: "大师",
  bestMoves: "最佳着法", pause: "暂停", resume: "分析", threats: "威胁", hideValues: "隐藏数值", showValues: "显示数值",
  lines: "变化数", gameCard: "对局", comment: "为这一手写注释", share: "分享", copyLink: "复制链接", picture: "图片",
  movesFile: "着法", replay: "动画", importIt: "导入", pngFile: "PNG", svgFile: "SVG", sgfFile: "SGF", recordFile: "棋谱文件",
  copied: "已复制", pasteHere: "粘贴着法、局面、SGF 或 Piskvork 文件", open: "打开", file: "选择文件",
  proved: "已证明", estimating: "估计", positions: "{n} 个局面", simulations: "{n} 次模拟", memory: "{n} MB", perSecond: "每秒 {n}",
  details: "详情", paused: "已暂停，结果保留。", gameOver: "对局在此已结束。后退一步即可分析。",
  bestIs: "{move} 最佳：{value}", columnWinsNow: "{move} 立即取胜", columnWins: "{move} 在 {n} 手内必胜", allLose: "所有着法皆败；{move} 坚持最久：{n} 手",
  bestDraw: "{move} 成和，没有更好的着法", columnIs: "第 {move} 列", toStart: "到开头", stepBack: "后退", stepOn: "前进", toEnd: "到结尾", deleteLine: "从此处删除", mainLine: "设为主线",
  numbers: "手数", evalGraph: "{side}逐手的局势", noEngineValues: "此棋种的引擎只给出着法，没有数值。",
  reviewTitle: "复盘", reviewStart: "复盘整局", reviewing: "正在复盘… {done} / {total}", reviewNone: "先下一局或导入一局，然后一键评判每一手。",
  exact: "每个结论都由求解器证明。", estimated: "结论来自引擎的估计。",
  best: "最佳", good: "好", slip: "缓手", blunder: "败着", best_n: "最佳", good_n: "好棋", slip_n: "缓手", blunder_n: "败着",
  youHad: "{side}有更好的着法：{move}，{value}；{played}则{playedValue}。", wasBest: "{move} 是最佳着法：{value}。", wasGood: "{move} 可行：{playedValue}。最佳是 {best}：{value}。",
  nextSlip: "下一处失误", prevSlip: "上一处失误", goAnalyse: "在此分析",
  watchStart: "开始比赛", watchStop: "停止", first: "第一引擎", second: "第二引擎", games: "局数", speed: "速度", live: "实时",
  opening: "随机开局手数", moveTime: "每手时间", score: "比分", elo: "等级分差", asFirst: "先手", asSecond: "后手", winsN: "胜", drawsN: "和", lossesN: "负",
  game: "第 {n} 局", watchNone: "选择两个引擎，观看它们对弈。比分、等级分差及其 95% 区间和每一局都会显示在这里。",
  running: "第 {n} 局，共 {total} 局", finished: "已结束", stopped: "已停止", evaluations: "两个引擎的看法", table: "对局表", result: "结果", length: "手数", starts: "先手",
  swap2: "Swap2 开局", swapOpens: "谁摆前三子", swapThree: "摆三子：黑、白、黑", swapTwo: "再摆一白一黑", swapChoose: "选择颜色，或再摆两子", swapChooseLast: "选择颜色", swapTake: "执{side}", swapPutTwo: "再摆两子", swapEngineTakes: "引擎执{side}。", swapEngineTwo: "引擎再摆两子。",
  stored: "已保存的比赛", storedNone: "服务器所在文件夹中保存的比赛（cup.db）会连同积分表和棋局显示在这里；用 stoneline serve --store FILE 指定其他文件。",
  storedBack: "全部比赛", playersN: "{n} 位选手", gamesN: "{n} 局", player: "选手", points: "得分", allPlayers: "全部选手", moreGames: "还有 {n} 局", analyseGame: "分析这一局",
  puzzle: "习题", winIn: "{side}先行，{n} 步取胜", puzzleGo: "找出唯一的必胜着法。", puzzleRight: "正确。继续：胜势还在。",
  puzzleWrong: "这样就放走了胜利。再试一次。", puzzleDone: "解出来了！", puzzleNext: "下一题", puzzleAgain: "重来", puzzleShow: "显示答案",
  difficulty: "难度", solvedN: "连续解出 {n} 题", puzzleLoading: "求解器正在寻找习题…", puzzleGoFree: "找出必胜的着法：冲四和活三让对方别无选择。",
  puzzleBarren: "求解器在这个棋盘上没有找到这样的习题。请选择其他难度或棋种。",
  puzzleShown: "这是答案；可以逐手演示，或做下一题。",
  offline: "服务器没有响应。请重新启动 stoneline，然后用新的地址打开本页。", retry: "重试",
  needToken: "请打开 stoneline 启动时打印的地址：其中含有本次运行的令牌。",
  busy: "其他人正在搜索；马上轮到您。", loading: "加载中…",
  keysTitle: "按键", keyColumns: "下在该列", keyArrows: "在对局中前后移动；在棋盘上逐格移动", keyEnter: "下在选中的格子", keySpace: "暂停或继续分析",
  keyU: "悔棋", keyH: "提示", keyN: "新对局", keyT: "威胁", keyHelp: "本列表", keyHome: "对局的开头与结尾",
  moveN: "第 {n} 手", you: "您", engineIs: "引擎", hideHint: "隐藏提示", variationOf: "变化", solution: "答案",
  linkBad: "链接中的局面无法显示：{reason}", imported: "已导入。",
};

export type Language = "en" | "zh";

let language: Language = stored();

function stored(): Language {
  const kept = localStorage.getItem("language");
  if (kept === "en" || kept === "zh") return kept;
  return navigator.language.startsWith("zh") ? "zh" : "en";
}

export const currentLanguage = (): Language => language;

export function setLanguage(to: Language): void {
  language = to;
  localStorage.setItem("language", to);
  document.documentElement.lang = to === "zh" ? "zh-CN" : "en";
}

/** The words for `key` with `{name}` filled in. */
export function t(key: Word, values: Record<string, string | number> = {}): string {
  const text = (language === "zh" ? ZH : EN)[key];
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** A text with a capital at its beginning. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A count as the language writes it, shortened: `1.9 M`. */
export const count = (n: number): string =>
  new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en", { notation: "compact", maximumFractionDigits: 1 }).format(n);

/** Requests to the server: answers, streams, and what to say when there are none. */

/** A request that was not done. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** The server can't be reached at all. */
export class Unreachable extends Error {}

/** A name for this tab, so that the server can share its cores fairly. */
const CLIENT = crypto.randomUUID();
const TRIES = 8;

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(signal.reason);
    });
  });

/** Asks until a search slot is free, then gives the response; a refusal is thrown. */
async function request(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  for (let tries = 1; ; tries++) {
    let response: Response;
    try {
      response = await fetch(`/api/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Stoneline-Client": CLIENT },
        body: JSON.stringify(body),
        signal: signal ?? null,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable();
    }
    if (response.ok) return response;
    if (response.status === 503 && tries < TRIES) {
      await pause(1000 * Number(response.headers.get("Retry-After") ?? 1), signal);
      continue;
    }
    const told = (await response.json().catch(() => null)) as { error?: string } | null;
    throw new Refused(response.status, told?.error ?? response.statusText);
  }
}

/** The answer to one question. */
export async function ask<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await request(path, body, signal)).json()) as T;
}

/** The events of a search; leaving the loop or aborting ends the search. */
export async function* listen<T>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<T> {
  const response = await request(path, body, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      let part: ReadableStreamReadResult<string>;
      try {
        part = await reader.read();
      } catch (error) {
        if (signal.aborted) throw error;
        throw new Unreachable();
      }
      if (part.done) return;
      text += part.value;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        if (event.startsWith("data:")) yield JSON.parse(event.slice(5)) as T;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

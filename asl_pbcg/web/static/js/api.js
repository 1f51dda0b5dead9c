// The one door to the server: the key stands in the address's fragment and goes along in a header.

import { hush, say } from "./dom.js";

export class Refusal extends Error {
  constructor(status, data) {
    super(data?.sentence || "That did not work.");
    this.status = status;
    this.data = data ?? {};
  }
}

export class Lost extends Error {}

export function place() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export function go(changes, replace = false) {
  const now = { ...place(), ...changes };
  for (const name of Object.keys(now)) if (now[name] === null || now[name] === "") delete now[name];
  const hash = `#${new URLSearchParams(now)}`;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  dispatchEvent(new Event("pbcg-place"));
}

const headers = () => ({ Authorization: `Bearer ${place().key ?? ""}` });

let eyes = "";
/** Whose eyes are on a screen that both sides share; "" for what both may see. */
export const setEyes = (side) => (eyes = side);

export function address(path, query = {}) {
  const all = Object.entries({ ...query, ...(eyes ? { eyes } : {}) });
  const words = new URLSearchParams(all.flatMap(([name, value]) => [value].flat().map((each) => [name, each]))).toString();
  return words ? `${path}?${words}` : path;
}

async function request(method, path, { body, raw, query, signal } = {}) {
  const options = { method, headers: headers(), signal };
  if (raw) options.body = raw;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(address(path, query), options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Lost("The server does not answer.");
  }
  if (!answer.ok) {
    let data = {};
    try {
      data = await answer.json();
    } catch {
      // no sentence came along
    }
    // A tunnel answers for a server that is away: that is no word of the server's.
    if (answer.status >= 502 && !data.sentence) throw new Lost("The server does not answer.");
    throw new Refusal(answer.status, data);
  }
  return answer;
}

/** The answer itself: a file with its headers. */
export const fetchFile = (path, query, signal) => request("GET", path, { query, signal });
export const get = async (path, query) => (await request("GET", path, { query })).json();
export const post = async (path, body, query) => (await request("POST", path, { body: body ?? {}, query })).json();
export const put = async (path, body, query) => (await request("PUT", path, { body, query })).json();
export const remove = async (path) => (await request("DELETE", path)).json();
export const send = async (path, raw, query) => (await request("POST", path, { raw, query })).json();
export const blob = async (path, query) => (await request("GET", path, { query })).blob();
export const text = async (path, query) => (await request("GET", path, { query })).text();

const PATIENCE = 10000; // ms that an answer to a knock may take
const knock = () => request("GET", "/api/games", { query: { quick: true }, signal: AbortSignal.timeout(PATIENCE) });

let back;
/** Wait until the server answers again, then run `then`; whoever waits, waits together. */
export async function awaitServer(then) {
  back ??= (async () => {
    for (let pause = 0; ; pause = Math.min(pause * 1.6 + 200, 5000)) {
      if (pause) {
        say("The connection is lost. Everything acknowledged is kept; trying again …", { bad: true, stay: true });
        await new Promise((done) => setTimeout(done, pause));
      }
      try {
        await knock();
        break;
      } catch (error) {
        if (error instanceof Refusal) break;
      }
    }
    back = undefined;
    hush();
  })();
  await back;
  await then();
}

const FIRST = 4000; // ms in which the first event comes; a tunnel that holds events back is not waited for
const QUIET = 15000; // ms between two signs of life, which the server gives every ten seconds
const LOOK = 4000; // ms between two looks at a game whose events are held back

/**
 * Call `heard(number)` at each event of a game until the returned function is called.
 *
 * Where nothing is heard for too long it looks by itself, and calls `lost` if nobody answers.
 */
export function listen(path, heard, lost) {
  const stop = new AbortController();
  let quiet = Date.now() + FIRST;
  let looking = false;
  const watch = setInterval(async () => {
    if (looking || Date.now() < quiet) return;
    looking = true;
    try {
      await knock();
      if (!stop.signal.aborted) await heard(0);
    } catch (error) {
      if (!stop.signal.aborted) await lost(error instanceof Refusal ? error : null);
    } finally {
      quiet = Date.now() + LOOK;
      looking = false;
    }
  }, 500);
  stop.signal.addEventListener("abort", () => clearInterval(watch));
  (async () => {
    while (!stop.signal.aborted) {
      try {
        const answer = await request("GET", path, { signal: stop.signal });
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let kept = "";
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          quiet = Date.now() + QUIET;
          kept += value;
          let end;
          while ((end = kept.indexOf("\n\n")) >= 0) {
            const line = kept.slice(0, end);
            kept = kept.slice(end + 2);
            if (line.startsWith("data:")) heard(Number(line.slice(5)));
          }
        }
      } catch (error) {
        if (error.name === "AbortError") return;
        if (error instanceof Refusal && error.status < 500) return lost(error);
      }
      if (stop.signal.aborted) return;
      await new Promise((done) => setTimeout(done, 600));
      if (!stop.signal.aborted) await lost(null);
    }
  })();
  return () => stop.abort();
}

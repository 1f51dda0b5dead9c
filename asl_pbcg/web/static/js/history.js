import { h, put } from "./dom.js";
export async function lookingBack(page) { put(page, h("p", {}, "")); }

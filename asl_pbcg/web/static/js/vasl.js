import { say } from "./dom.js";
export async function vaslReview() { say("Not yet.", { bad: true }); }

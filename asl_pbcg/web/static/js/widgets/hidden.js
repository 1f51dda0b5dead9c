export { draw } from "./file.js"; // with the map beside it

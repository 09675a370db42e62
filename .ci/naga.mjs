#!/usr/bin/env node
// naga FILE.wgsl: parse and validate a shader, as the command of that name
// does, with naga compiled to WebAssembly. It looks for the package naga-wasm
// in the folder that NAGA_MODULES names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(process.env.NAGA_MODULES, "node_modules", "naga-wasm", "dist", "node.js");
const { parseWgsl, validate } = await import(pathToFileURL(root));
try {
	validate(parseWgsl(readFileSync(process.argv[2], "utf8")));
} catch (e) {
	console.error(String(e.message ?? e));
	process.exit(1);
}

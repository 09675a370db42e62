#!/usr/bin/env node
// naga FILE.wgsl: parse and validate a shader, as the command of that name does, with
// naga compiled to WebAssembly. naga --all FILE.wgsl...: of each, and turn it into
// Metal and HLSL, in FILE.metal and FILE.hlsl. It looks for the package naga-wasm in
// the folder that NAGA_MODULES names.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(process.env.NAGA_MODULES, "node_modules", "naga-wasm", "dist", "node.js");
const { parseWgsl, validate, writeMsl, writeHlsl } = await import(pathToFileURL(root));
const all = process.argv[2] === "--all";
let failed = false;
for (const file of process.argv.slice(all ? 3 : 2)) {
	let step = "parse";
	try {
		const module = parseWgsl(readFileSync(file, "utf8"));
		step = "validate";
		const info = validate(module);
		if (all) {
			const base = file.replace(/\.wgsl$/, "");
			step = "Metal";
			writeFileSync(base + ".metal", writeMsl(module, info));
			step = "HLSL";
			writeFileSync(base + ".hlsl", writeHlsl(module, info));
		}
	} catch (e) {
		console.error(`${file}: ${step}: ${e.formatted ?? e.message ?? e}`);
		failed = true;
	}
}
process.exit(failed ? 1 : 0);

// The twin of tools/hash_program for the reactor: bakes a recipe and prints `stage hash` lines.
//   node bindings/wasm/hash.mjs terraway.wasm THREADS RECIPE [--set PATH=VALUE]... [--heights BLOB] [--lines BLOB]
// THREADS is there for the twin's sake: a reactor has one.
import { readFileSync } from 'node:fs';
import { instantiate } from './reactor.mjs';

const [wasm, , recipe, ...rest] = process.argv.slice(2);
if (!recipe || rest.length % 2 !== 0) {
  console.error('usage: hash.mjs terraway.wasm THREADS RECIPE [--set PATH=VALUE]... [--heights BLOB] [--lines BLOB]');
  process.exit(2);
}
const input = { recipe: readFileSync(recipe), overrides: '' };
for (let i = 0; i < rest.length; i += 2) {
  if (rest[i] === '--set') input.overrides += `${rest[i + 1]}\n`;
  else if (rest[i] === '--heights') input.heights = readFileSync(rest[i + 1]);
  else if (rest[i] === '--lines') input.lines = readFileSync(rest[i + 1]);
  else throw new Error(`no such option: ${rest[i]}`);
}

const terraway = await instantiate(readFileSync(wasm));
try {
  const hex = (hash) => hash.toString(16).padStart(16, '0');
  const { stages, hash } = terraway.bake(input);
  for (const stage of stages) console.log(`${stage.name} ${hex(stage.hash)}`);
  console.log(`world ${hex(hash)}`);
} catch (error) {
  console.error(`hash.mjs: ${error.message}`);
  process.exit(2);
}

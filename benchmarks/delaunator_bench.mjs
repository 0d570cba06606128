// node delaunator_bench.mjs <folder with node_modules> <file of int32 pairs>
// Prints the median time of delaunator in milliseconds, after warming up.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const require = createRequire(pathToFileURL(resolve(folder, 'package.json')));
const { default: Delaunator } = await import(pathToFileURL(require.resolve('delaunator')));
const bytes = readFileSync(file);
const points = Float64Array.from(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));

const times = [];
for (let round = 0; round < 4; ++round) {
  const start = performance.now();
  new Delaunator(points);
  times.push(performance.now() - start);
}
// The first run compiles.
const warm = times.slice(1).sort((a, b) => a - b);
console.log(warm[warm.length >> 1]);

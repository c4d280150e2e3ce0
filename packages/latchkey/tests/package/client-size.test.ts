import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Bytes that a browser is sent for this module, compressed. */
async function sizeOf(file: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from '../../src/client/${file}'`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['react', 'vue', 'svelte/store', 'solid-js'],
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

test('the client is under 4 kB, React adds less than 2 kB, the others less than 200 bytes', async () => {
  const client = await sizeOf('index.ts')
  expect(client).toBeLessThan(4096)
  expect((await sizeOf('react.ts')) - client).toBeLessThan(2048)
  for (const binding of ['vue.ts', 'svelte.ts', 'solid.ts']) {
    expect((await sizeOf(binding)) - client).toBeLessThan(200)
  }
})

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { projectWithLatchkey } from './packed.ts'

/** Bytes that a browser is sent for this module, compressed. */
async function sizeOf(
  module: string,
  from: string = fileURLToPath(new URL('.', import.meta.url)),
): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${module}'`, resolveDir: from },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['react', 'vue', 'svelte/store', 'solid-js'],
    absWorkingDir: from,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

test('the client is under 4.75 kB, React adds less than 2 kB, the others less than 200 bytes', async () => {
  const source = (file: string): Promise<number> => sizeOf(`../../src/client/${file}`)
  const client = await source('index.ts')
  expect(client).toBeLessThan(4750)
  expect((await source('react.ts')) - client).toBeLessThan(2048)
  for (const binding of ['vue.ts', 'svelte.ts', 'solid.ts']) {
    expect((await source(binding)) - client).toBeLessThan(200)
  }
})

test('the published client has no code of the server', async () => {
  const project = projectWithLatchkey()
  for (const name of ['client', 'react', 'vue', 'svelte', 'solid']) {
    const installed = await sizeOf(`latchkey/${name}`, join(project, '/'))
    expect(installed, name).toBeLessThan(4750 + (name === 'react' ? 2048 : 200))
  }
})

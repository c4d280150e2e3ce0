/**
 * What the core weighs on an edge runtime, with the libraries it needs, beside its peer's by the
 * same measure.
 *
 *     node tools/size.ts
 */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** A bundle of one entry point. */
export interface Bundle {
  readonly code: string
  readonly minified: number
  readonly gzipped: number
  /** Modules that the bundle leaves to the runtime. */
  readonly external: readonly string[]
}

/**
 * Bundles what a module that takes one name from `specifier` needs on an edge runtime. Sizes are bytes.
 *
 * @param further another specifier, and a name from it.
 */
export async function bundleForEdge(
  specifier: string,
  name = 'Auth',
  further?: readonly [specifier: string, name: string],
): Promise<Bundle> {
  const taken = [[specifier, name] as const, ...(further ? [further] : [])]
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: taken
        .map(([from, each]) => `export { ${each} } from ${JSON.stringify(from)}`)
        .join('\n'),
      resolveDir: fileURLToPath(new URL('../bench', import.meta.url)),
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2023',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    // As an application sees the package, which brings no compiler settings along.
    tsconfigRaw: {},
    logLevel: 'silent',
  })
  const [output] = outputFiles
  const [described] = Object.values(metafile.outputs)
  if (!output || !described) throw new Error(`nothing was bundled for ${specifier}`)
  return {
    code: output.text,
    minified: output.contents.byteLength,
    gzipped: gzipSync(output.contents, { level: 9 }).byteLength,
    external: described.imports.filter(({ external }) => external).map(({ path }) => path),
  }
}

/** What an application carries beside the core as soon as it has a plugin, without the plugin itself. */
export async function pluginMachinery(): Promise<number> {
  const core = await bundleForEdge('latchkey')
  const both = await bundleForEdge('latchkey', 'Auth', ['latchkey/plugin', 'definePlugin'])
  return both.gzipped - core.gzipped
}

if (import.meta.main) {
  for (const specifier of ['latchkey', '@auth/core']) {
    const { minified, gzipped, external } = await bundleForEdge(specifier)
    const leftOut = external.length > 0 ? `, leaves out ${external.join(' ')}` : ''
    console.log(`${specifier}: ${gzipped} bytes gzipped, ${minified} minified${leftOut}`)
  }
  console.log(`what runs plugins: ${await pluginMachinery()} bytes gzipped more`)
}

/**
 * Builds all packages, or one: `node tools/build.ts server`. Of the library the compiler makes the declarations, module by module, and
 * Rolldown the code: one file for each public name, and what several of them share in between. Its
 * hundred modules would cost a cold start some fifty milliseconds, one file after the other.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type ChunkingContext, type CodeSplittingGroup } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'packages/latchkey')
const server = join(root, 'packages/server')
const codemod = join(root, 'packages/codemod')

/**
 * What is loaded together: a module of ours with everything that it imports and no earlier one does. All other files
 * are the bundler's choice, by entry points and `import()`.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  // Apart, since who only verifies sessions needs nothing else of the core.
  sessions: [
    'verifier/session-verifier.ts',
    'base/crypto/webcrypto.ts',
    'base/crypto/keyed-hash.ts',
    // Small, and needed with plugins, too: a further file costs a start more.
    'base/encoding/jwt-part.ts',
  ],
  // Apart, since a verifier needs it without the plugin `sessions`.
  'revocation-state': ['protocols/revocation/state.ts', 'protocols/revocation/moment.ts'],
  // What reads a session for a request: all that a cold start needs to answer most of them.
  core: [
    'entries/index.ts',
    'http/origin/origin-hints.ts',
    'session/proof/fresh.ts',
    'session/proof/step-up.ts',
  ],
  // All other answers, but for what their modules load themselves when it is needed.
  flows: ['core/dispatch.ts'],
}

/** Entry points of the plugins. */
const plugins = globSync('plugins/*/index.ts', { cwd: join(library, 'src') })

/** The plugins of `accounts()` that are seldom used alone. */
const OF_ACCOUNTS = [
  'account',
  'email-code',
  'i18n',
  'mailbox',
  'passwords',
  'two-factor',
  'usernames',
]

/** Rooms whose modules are loaded only with a plugin. */
const runsPlugins = /^(?:entries|plugin|plugin-host|plugins)$/

/** What {@link membersOf} found, by its roots. */
const found = new Map<string, ReadonlySet<string>>()

const [only] = process.argv.slice(2)
if (!isLeftOut(library)) {
  tsc(library, '--emitDeclarationOnly')
  await bundle()
}
for (const directory of [server, codemod].filter((each) => !isLeftOut(each))) {
  tsc(directory)
  prune(directory)
}

function isLeftOut(directory: string): boolean {
  return only !== undefined && only !== basename(directory)
}

function tsc(directory: string, ...flags: string[]): void {
  const { status } = spawnSync('tsc', ['-p', directory, ...flags], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

async function bundle(): Promise<void> {
  const dist = join(library, 'dist')
  const { output } = await build({
    cwd: library,
    input: entryPoints(),
    platform: 'neutral',
    // Resolved where the library is used: its dependency, the packages of the application, the
    // cryptography of the runtime, and components, which each version of a framework compiles for itself.
    // `cookie` is included: frameworks bring older packages of that name, and their bundlers mix them up.
    external: (specifier) =>
      specifier !== 'cookie' && (!/^[./]/.test(specifier) || specifier.endsWith('.svelte')),
    treeshake: { moduleSideEffects: false },
    // 'use client' stays where it is: at the top of an entry point.
    onLog: (level, log, write) => {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') write(level, log)
    },
    output: {
      dir: dist,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'shared/[name].js',
      // Whoever replaces the files below a running process gets a name that is missing, and never another function.
      minifyInternalExports: false,
      // The code is published with its names and lines, so traces can be read without a map. A map with
      // its sources would double the package, and one without them makes bundlers warn.
      sourcemap: false,
      // Half of what a cold start reads. They are in the declarations, where editors look.
      comments: false,
      codeSplitting: {
        groups: [
          ...Object.entries(parts).map(together),
          inKit(),
          machinery(),
          // The core loads it, too, at the first call of a function with arguments.
          group('arguments', (id) => id === join(library, 'src/options/arguments/arguments.ts')),
          definitions(),
          ...plugins.filter((each) => !OF_ACCOUNTS.includes(each.split('/')[1] ?? '')).map(alone),
        ],
      },
    },
  })
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const file of globSync('**/*.{js,js.map}', { cwd: dist }))
    if (!written.has(file)) rmSync(join(dist, file))
  for (const file of globSync('**/*.svelte', { cwd: dist })) rmSync(join(dist, file))
  for (const file of globSync('**/*.svelte', { cwd: join(library, 'src') }))
    copyFileSync(join(library, 'src', file), join(dist, file))
  for (const file of globSync('**/*.d.ts', { cwd: dist }))
    if (!existsSync(join(library, 'src', file.replace(/\.d\.ts$/, '.ts')))) rmSync(join(dist, file))
}

/** The file `name`, of modules of ours and all that they import. */
function together([name, roots]: readonly [string, readonly string[]]): CodeSplittingGroup {
  return group(name, (id, context) => membersOf(roots, context).has(id))
}

/** The kit is an entry point, which each plugin imports; the others are for whichever plugin there is. */
function withPlugins(): readonly string[] {
  return [
    'entries/plugin.ts',
    'http/strict-body.ts',
    'base/crypto/digest.ts',
    'model/damaged-record.ts',
  ].map((file) => join(library, 'src', file))
}

/** Files of their own, for modules of the kit that flows of the core load, too, or that load a flow: with them comes no plugin. */
function inKit(): CodeSplittingGroup {
  const isOfFlow = (id: string, context: ChunkingContext): boolean =>
    context.getModuleInfo(id)?.importers.some((each) => !runsPlugins.test(roomOf(each))) === true
  const loadsFlow = join(library, 'src/http/dates.ts')
  return {
    debugName: 'kit',
    priority: 2,
    name: (id, context) =>
      membersOf(['entries/plugin.ts'], context).has(id) &&
      /^(?:base|http|mail|model|options)$/.test(roomOf(id)) &&
      !withPlugins().includes(id) &&
      (id === loadsFlow || isOfFlow(id, context))
        ? basename(id, '.ts')
        : null,
  }
}

/** The file `plugins`: what runs plugins, and what at least two of them import that is of no plugin itself. */
function machinery(): CodeSplittingGroup {
  const isShared = (id: string, context: ChunkingContext): boolean =>
    folderOf(id) === undefined &&
    plugins.filter((each) => membersOf([each], context).has(id)).length > 1
  return group('plugins', (id, context) => withPlugins().includes(id) || isShared(id, context))
}

/** One file for the definitions of the plugins that come with `accounts()`: each further file costs a start most of a millisecond. */
function definitions(): CodeSplittingGroup {
  const file = group('definitions', (id, context) => {
    const name = folderOf(id)
    return name !== undefined && OF_ACCOUNTS.includes(name) && isDefinition(id, name, context)
  })
  // Last, since a file takes all that its modules import and no file before it has.
  return { ...file, priority: 0 }
}

/** The file of one of the other plugins. */
function alone(plugin: string): CodeSplittingGroup {
  const name = plugin.split('/')[1] ?? ''
  const file = group(`plugin-${name}`, (id, context) => isDefinition(id, name, context))
  return { ...file, priority: 1 }
}

/** Whether a module is the entry point of a plugin, or what that, or the kit that lets others bring it, imports of its folder at once. */
function isDefinition(id: string, name: string, context: ChunkingContext): boolean {
  return (
    id === join(library, 'src/plugins', name, 'index.ts') ||
    (folderOf(id) === name &&
      [`plugins/${name}/index.ts`, `entries/plugin-${name}.ts`].some((root) =>
        membersOf([root], context).has(id),
      ))
  )
}

function roomOf(id: string): string {
  return relative(join(library, 'src'), id).split(/[/\\]/, 1)[0] ?? ''
}

/** The name of the plugin that a module belongs to. */
function folderOf(id: string): string | undefined {
  return relative(join(library, 'src'), id).match(/^plugins[/\\]([^/\\]+)/)?.[1]
}

function group(
  name: string,
  isMember: (id: string, context: ChunkingContext) => boolean,
): CodeSplittingGroup {
  return {
    debugName: name,
    priority: 2,
    name: (id, context) => (isMember(id, context) ? name : null),
  }
}

/** These modules and all that they import. What is an entry point, or loaded by `import()`, stays a file of its own. */
function membersOf(roots: readonly string[], context: ChunkingContext): ReadonlySet<string> {
  const known = found.get(roots.join())
  if (known) return known
  const seen = new Set<string>()
  const members = new Set<string>()
  const collect = (module: string): void => {
    if (seen.has(module)) return
    seen.add(module)
    const info = context.getModuleInfo(module)
    if (info?.isEntry === false && info.dynamicImporters.length === 0) members.add(module)
    for (const imported of info?.importedIds ?? []) collect(imported)
  }
  for (const root of roots) collect(join(library, 'src', root))
  found.set(roots.join(), members)
  return members
}

/** Sources of everything that the manifest names, for applications or for itself. */
function entryPoints(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
    exports: Record<string, { source: string } | string>
    imports: Record<string, Record<string, { default: string } | string>>
  }
  const forConditions = Object.values(manifest.imports)
    .flatMap((targets) => Object.values(targets))
    .map((target) => (typeof target === 'string' ? target : target.default))
    .map((file) => file.replace(/^\.\/(?:dist|src)\//, 'src/').replace(/\.js$/, '.ts'))
  const sources = Object.values(manifest.exports)
    .flatMap((target) =>
      typeof target === 'string' ? [] : globSync(target.source, { cwd: library }),
    )
    .concat(forConditions)
    .filter((file) => !file.endsWith('.test.ts'))
  return Object.fromEntries(
    sources.map((file) => [relative('src', file).replace(/\.ts$/, ''), join(library, file)]),
  )
}

/** Removes what was built from sources that are gone. */
function prune(directory: string): void {
  const dist = join(directory, 'dist')
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const source = file.match(/^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/)?.[1]
    if (source !== undefined && !existsSync(join(directory, 'src', `${source}.ts`)))
      rmSync(join(dist, file))
  }
}

import { posix } from 'node:path'
import type {
  ArrowFunctionExpression,
  BlockStatement,
  CallExpression,
  FunctionDeclaration,
  FunctionExpression,
  Node,
  ObjectExpression,
  Statement,
} from '@babel/types'
import { moveAuthorize } from './authorize.ts'
import { exportedName, importedName, importOf, isFree, namesModule } from './imports.ts'
import type { Project } from './project.ts'
import { moveProviders } from './providers.ts'
import { endOf, memberOf, type Source, startOf } from './source.ts'
import { leaveThrows } from './throws.ts'
import { jwtFunctionOf, moveTokens } from './tokens.ts'
import { leaveUserIds } from './user-ids.ts'

/** What becomes of files. */
export interface Moves {
  /** New paths by old ones: the text goes along, with its edits. */
  readonly moved: ReadonlyMap<string, string>
  readonly created: ReadonlyMap<string, string>
  readonly removed: ReadonlySet<string>
  /** What options say of how long sessions last and what their cookie is: a guard must know it, too. */
  readonly settings: readonly Setting[]
}

/** A property of options. */
export interface Setting {
  readonly text: string
  /** Whether it means the same in another file. */
  readonly isPlain: boolean
}

/** Settings that are not to be seen. */
const UNKNOWN: Setting = { text: '', isPlain: false }

/** Options of next-auth 4, and what is made of them where they are. */
interface Home {
  readonly source: Source
  /** `auth`, unless the file has another of that name. */
  readonly auth: string
  readonly handlers: string
}

/** A variable with options. */
interface Declared {
  readonly source: Source
  readonly name: string
  readonly statement: Statement
  readonly init: Node
}

/** Calls that are given the same options. */
interface Calls {
  /** The options in them. */
  readonly nodes: readonly Node[]
  readonly home: Home
  /** What the file calls `auth`. */
  readonly local: string
}

/** What a file makes of options: `NextAuth(options)`. */
interface Handler {
  /** The statement that makes it. */
  readonly statement: Statement
  readonly options: Node
  /** The statement that exports it, if that is another. */
  readonly exporting: Statement | undefined
}

const SECRET = 'process.env.AUTH_SECRET ?? process.env.NEXTAUTH_SECRET'

const ROUTE = /^((?:.*\/)?)(app|pages)\/(.+)/s

/** What version 4 has otherwise: `getServerSession(options)`, and handlers made of options. */
export function moveVersion4(project: Project): Moves {
  return new Version4(project).run()
}

/** Whether a file was written for version 4. */
function isVersion4(project: Project, source: Source): boolean {
  const major = project.majorOf(source.path, 'next-auth')
  return major === undefined
    ? /getServerSession|NextAuthOptions|next-auth\/(?:next|middleware)\b/.test(source.text)
    : major < 5
}

class Version4 implements Moves {
  readonly moved = new Map<string, string>()
  readonly created = new Map<string, string>()
  readonly removed = new Set<string>()
  readonly settings: Setting[] = []
  readonly #project: Project
  /** By the statement that declares the options. */
  readonly #homes = new Map<Node, Home>()
  /** What is asked with options of another file, by their name. */
  readonly #calls = new Map<Source, Map<string, Calls>>()

  /** Routes whose handler was left to a person: they go, or may export nothing else, so nothing is written there. */
  readonly #leftRoutes = new Set<Source>()

  /** Whether there are options anywhere. */
  #found = false

  constructor(project: Project) {
    this.#project = project
  }

  run(): this {
    const sources = [...this.#project.sources.values()].filter((source) =>
      isVersion4(this.#project, source),
    )
    for (const source of sources) this.#moveHandler(source)
    for (const source of sources) this.#moveSessions(source)
    for (const source of sources) {
      moveAuthorize(source)
      moveProviders(source)
      moveTokens(source, SECRET)
      this.#noteCalls(source)
    }
    if (!this.#found) this.settings.push(UNKNOWN)
    for (const source of this.#project.sources.values()) this.#moveSpecifiers(source)
    return this
  }

  #moveHandler(source: Source): void {
    const local = nextAuthIn(source)
    if (local === undefined) return
    const handler = handlerIn(source, local)
    if (!handler) {
      const [use] = source
        .references(local)
        .filter(({ parent, key }) => parent?.type === 'CallExpression' && key === 'callee')
      if (!use) return
      source.leave(
        use.node,
        'NextAuth has other arguments than the options; call `NextAuth((request) => options)` in its own file, and export its `handlers` from the route',
      )
      if (ROUTE.test(source.path)) this.#leftRoutes.add(source)
      return
    }
    const place = ROUTE.exec(source.path)
    const { options } = handler
    const declared =
      options.type === 'Identifier' ? this.#declarationOf(source, options.name) : undefined
    if (!place || (options.type !== 'ObjectExpression' && !declared)) {
      source.leave(handler.statement, 'the options of NextAuth were not found; move them')
      return
    }
    if (!declared || declared.source === source) this.#splitRoute(source, handler, declared)
    else if (place[2] === 'app') this.#rewriteRoute(source, handler, declared)
    else this.#replacePage(source, handler, declared)
  }

  /** Options and handler are in one file: the options move out of the route. */
  #splitRoute(source: Source, handler: Handler, declared: Declared | undefined): void {
    const [, base = '', kind] = ROUTE.exec(source.path) ?? []
    const extension = posix.extname(source.path)
    const target = ['auth', 'auth-options', 'next-auth']
      .map((name) => `${base}${name}`)
      .find((path) => !this.#project.resolve('package.json', `./${path}`))
    const route = kind === 'app' ? source.path : routeFor(source.path)
    if (target === undefined || (route !== source.path && this.#project.files.has(route))) {
      source.leave(handler.statement, `\`${route}\` already exists; move the handler`)
      this.#leftRoutes.add(source)
      return
    }
    const home = declared
      ? this.#homeOf(declared, handler)
      : this.#settle(source, handler.options, handler)
    this.moved.set(source.path, target + extension)
    this.created.set(route, this.#routeText(source, route, target + extension, home))
  }

  /** A route of the app directory, with options of another file. */
  #rewriteRoute(source: Source, handler: Handler, declared: Declared): void {
    const home = this.#homeOf(declared)
    if (!handler.exporting) {
      source.leave(handler.statement, 'export `GET` and `POST` of `handlers` here')
      return
    }
    source.removeStatement(handler.statement)
    source.replace(handler.exporting, `export const { GET, POST } = handlers${source.semicolon}`)
    const local = nextAuthIn(source)
    const imported = local === undefined ? undefined : importOf(source, local)
    if (imported) source.dropped.add(imported.specifier)
    if (handler.options.type === 'Identifier')
      this.#exchange(
        source,
        handler.options.name,
        [handler.options],
        home,
        home.handlers,
        'handlers',
      )
  }

  /** A route of the pages directory, with options of another file: a route of the app directory replaces it. */
  #replacePage(source: Source, handler: Handler, declared: Declared): void {
    const others = source.body.filter(
      (statement) =>
        statement.type !== 'ImportDeclaration' &&
        statement !== handler.statement &&
        statement !== handler.exporting,
    )
    const route = routeFor(source.path)
    if (others.length > 0 || this.#project.files.has(route)) {
      source.leave(handler.statement, `export \`handlers\` from \`${route}\` instead`)
      return
    }
    const home = this.#homeOf(declared)
    this.removed.add(source.path)
    this.created.set(route, this.#routeText(source, route, declared.source.path, home))
  }

  #routeText(like: Source, route: string, from: string, { handlers }: Home): string {
    const specifier = like.quoted(this.#project.specifierFor(route, from))
    const names = handlers === 'handlers' ? handlers : `${handlers} as handlers`
    const end = like.semicolon
    return `import { ${names} } from ${specifier}${end}\n\nexport const { GET, POST } = handlers${end}\n`
  }

  /** The file of options, which makes of them what others need. */
  #homeOf(declared: Declared, handler?: Handler): Home {
    const known = this.#homes.get(declared.statement)
    if (known) return known
    const home = this.#settle(declared.source, declared.init, handler, declared)
    this.#homes.set(declared.statement, home)
    return home
  }

  #settle(source: Source, options: Node, handler?: Handler, declared?: Declared): Home {
    const wrapper = declared && wrapperIn(source, declared.name)
    const auth = wrapper?.name ?? freeName(source, ['auth', 'latchkeyAuth'])
    const handlers = freeName(source, ['handlers', 'authHandlers'])
    const names = `${handlers}, ${auth === 'auth' ? auth : `auth: ${auth}`}`
    const made = handlers === 'handlers' ? names : `handlers: ${names}`
    const local = nextAuthIn(source) ?? this.#importNextAuth(source)
    const beginning = `export const { ${made} } = ${local}(`
    for (const name of wrapper?.dropped ?? []) source.dropped.add(name)
    if (wrapper && declared) {
      source.replace(wrapper.statement, `${beginning}${declared.name})${source.semicolon}`)
      if (handler) source.removeStatement(handler.statement)
      if (handler?.exporting) source.removeStatement(handler.exporting)
    } else if (handler) {
      const { statement, exporting } = handler
      source.edit(startOf(statement), startOf(handler.options), beginning)
      source.edit(endOf(handler.options), endOf(statement), `)${source.semicolon}`)
      if (exporting) source.removeStatement(exporting)
    } else if (declared)
      source.insert(
        endOf(declared.statement),
        `\n\n${beginning}${declared.name})${source.semicolon}`,
      )
    const object = objectIn(options)
    this.#found = true
    if (object) this.#addOptions(source, object)
    else {
      this.settings.push(UNKNOWN)
      source.leave(
        options,
        "set `acceptSessionsFrom: ['next-auth@4']` in the options; otherwise everybody is signed out",
      )
    }
    return { source, auth, handlers }
  }

  #importNextAuth(source: Source): string {
    const statement = source.body.find(
      (each) =>
        each.type === 'ImportDeclaration' &&
        /^next-auth(?:\/next)?$/.test(each.source.value) &&
        each.importKind !== 'type' &&
        each.specifiers.some(({ type }) => type === 'ImportSpecifier'),
    )
    if (statement) source.defaults.set(statement, 'NextAuth')
    else
      source.insert(
        startOf(source.body[0] ?? source.file),
        `import NextAuth from ${source.quoted('latchkey/next')}${source.semicolon}\n`,
      )
    return 'NextAuth'
  }

  #addOptions(source: Source, object: ObjectExpression): void {
    const keys = new Map<string, Node>()
    for (const property of object.properties)
      if (property.type !== 'SpreadElement' && property.key.type === 'Identifier')
        keys.set(property.key.name, property)
    for (const key of ['session', 'jwt', 'cookies', 'useSecureCookies']) {
      const property = keys.get(key)
      if (property)
        this.settings.push({ text: source.textOf(property), isPlain: isPlain(source, property) })
    }
    const isOpen = object.properties.some(({ type }) => type === 'SpreadElement')
    if (isOpen) this.settings.push(UNKNOWN)
    const added = [
      keys.has('acceptSessionsFrom') ? [] : `acceptSessionsFrom: [${source.quoted('next-auth@4')}]`,
      keys.has('secret') || isOpen ? [] : `secret: ${SECRET}`,
    ].flat()
    source.addProperties(object, added)
    leaveUserIds(source, object)
    const callbacks = memberOf(object, 'callbacks')
    if (callbacks) leaveThrows(source, callbacks, 'signIn')
    const reasons: Readonly<Record<string, string>> = {
      cookies:
        '`cookies`: sessions of version 4 are read from its default cookie; Latchkey uses `authjs.session-token`',
      jwt: '`jwt`: `encode` and `decode` have a `salt`, the name of the cookie; move `secret` to the options',
      logger: '`logger`: `error` receives an error, `warn` a code',
    }
    for (const [key, reason] of Object.entries(reasons)) {
      const property = keys.get(key)
      if (property) source.leave(property, reason)
    }
    for (const { node } of source.nodes)
      if (
        node.type === 'ObjectProperty' &&
        node.key.type === 'Identifier' &&
        node.key.name === 'httpOptions'
      )
        source.leave(node, '`httpOptions`: set `[customFetch]` of the provider instead')
  }

  /** `getServerSession(options)` is `auth()`. */
  #moveSessions(source: Source): void {
    for (const statement of source.body) {
      if (statement.type !== 'ImportDeclaration' || !isNextAuth(statement.source.value)) continue
      for (const specifier of statement.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || source.dropped.has(specifier)) continue
        if (!/^(?:unstable_)?getServerSession$/.test(importedName(specifier))) continue
        const uses = source
          .references(specifier.local.name)
          .filter(({ parent }) => parent !== specifier)
        const left = uses.filter(({ node, parent, key }) => {
          if (parent?.type !== 'CallExpression' || key !== 'callee') return true
          return !this.#moveCall(source, node, parent)
        })
        for (const { node } of left)
          source.leave(node, 'call `auth` here, which `NextAuth(options)` returns')
        if (left.length === 0) source.dropped.add(specifier)
      }
    }
    for (const [name, { nodes, home, local }] of this.#calls.get(source) ?? [])
      this.#exchange(source, name, nodes, home, home.auth, local)
  }

  #moveCall(source: Source, callee: Node, call: CallExpression): boolean {
    const last = call.arguments.at(-1)
    const declared =
      last?.type === 'Identifier' ? this.#declarationOf(source, last.name) : undefined
    if (!declared || last?.type !== 'Identifier') return false
    if (this.#leftRoutes.has(declared.source)) return false
    const home = this.#homeOf(declared)
    const name = home.source === source ? home.auth : freeName(source, ['auth', 'latchkeyAuth'])
    source.edit(startOf(callee), endOf(callee), name)
    if (call.typeParameters) source.replace(call.typeParameters, '')
    if (call.arguments.length === 1) source.edit(startOf(last), endOf(call) - 1, '')
    else source.removeFrom(call.arguments, new Set([last]))
    if (home.source !== source) {
      const calls = this.#calls.get(source) ?? new Map<string, Calls>()
      this.#calls.set(source, calls)
      const { nodes = [] } = calls.get(last.name) ?? {}
      calls.set(last.name, { nodes: [...nodes, last], home, local: name })
    }
    return true
  }

  /** In place of options a file imports what was made of them; besides, if it has other uses for the options. */
  #exchange(
    source: Source,
    options: string,
    replaced: readonly Node[],
    home: Home,
    theirs: string,
    local: string,
  ): void {
    const imported = importOf(source, options)
    if (!imported) return
    const { statement, specifier } = imported
    const written = theirs === local ? local : `${theirs} as ${local}`
    const isUsed = source
      .references(options)
      .some(({ node, parent }) => parent !== specifier && !replaced.includes(node))
    const isDirect = this.#project.resolve(source.path, statement.source.value) === home.source.path
    const named = statement.specifiers.filter(({ type }) => type === 'ImportSpecifier')
    if (isDirect && specifier.type === 'ImportSpecifier') {
      if (isUsed) source.insert(endOf(specifier), `, ${written}`)
      else source.replace(specifier, written)
      return
    }
    if (isDirect && named.length === 0 && specifier.type === 'ImportDefaultSpecifier') {
      if (isUsed) source.insert(endOf(specifier), `, { ${written} }`)
      else source.replace(specifier, `{ ${written} }`)
      return
    }
    const path = this.moved.get(home.source.path) ?? home.source.path
    const like = statement.source.value
    const from = source.quoted(this.#project.specifierFor(source.path, path, like))
    const line = `import { ${written} } from ${from}${source.semicolon}\n`
    source.insert(startOf(statement), line)
    if (!isUsed) source.dropped.add(specifier)
  }

  /** What has the same name, and is called otherwise. */
  #noteCalls(source: Source): void {
    const importedFrom = (name: string): string | undefined =>
      importOf(source, name)?.statement.source.value
    for (const { node } of source.nodes) {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') continue
      const { name } = node.callee
      const [argument] = node.arguments
      const given = argument?.type === 'ObjectExpression' ? source.textOf(argument) : ''
      if (
        /^get(?:Session|CsrfToken)$/.test(name) &&
        /\breq\b|\bctx\b|^\w+$/.test(given || textOf(source, argument))
      ) {
        if (importedFrom(name) === 'next-auth/react')
          source.leave(
            node,
            name === 'getSession'
              ? '`getSession` is for the browser; on the server, call `auth(req, res)`'
              : '`getCsrfToken` is for the browser; remove it here, and call `signIn` of `latchkey/react` in the form, which requests a token',
          )
      }
    }
    for (const { node } of source.nodes) {
      if (node.type !== 'CallExpression') continue
      const called = jwtFunctionOf(source, node)
      if (called === 'encode' || called === 'decode')
        source.leave(node, `\`${called}\` needs \`salt\`, the name of the cookie`)
    }
  }

  /** Relative imports of a file that moves, and imports of it. */
  #moveSpecifiers(source: Source): void {
    const path = this.moved.get(source.path) ?? source.path
    for (const placed of source.nodes) {
      const { node } = placed
      if (node.type !== 'StringLiteral' || !namesModule(source, placed)) continue
      const meant = this.#project.resolve(source.path, node.value)
      const target = meant === undefined ? undefined : this.moved.get(meant)
      const specifier =
        target !== undefined
          ? this.#project.specifierFor(path, target, node.value)
          : path !== source.path && node.value.startsWith('.')
            ? relative(path, posix.join(posix.dirname(source.path), node.value))
            : undefined
      if (specifier !== undefined) source.edit(startOf(node) + 1, endOf(node) - 1, specifier)
    }
  }

  #declarationOf(source: Source, name: string): Declared | undefined {
    const here = variableIn(source, name)
    if (here) return here
    const imported = importOf(source, name)
    if (!imported) return undefined
    const { statement, specifier } = imported
    const exported =
      specifier.type === 'ImportSpecifier'
        ? importedName(specifier)
        : specifier.type === 'ImportDefaultSpecifier'
          ? 'default'
          : undefined
    return (exported && this.#exportOf(source, statement.source.value, exported, 0)) || undefined
  }

  #exportOf(
    from: Source,
    specifier: string,
    exported: string,
    depth: number,
  ): Declared | undefined {
    const path = this.#project.resolve(from.path, specifier)
    const source = path === undefined ? undefined : this.#project.sources.get(path)
    // Files that lead to each other lead nowhere.
    if (!source || depth > 5) return undefined
    for (const statement of source.body) {
      if (statement.type === 'ExportAllDeclaration' && exported !== 'default') {
        const found = this.#exportOf(source, statement.source.value, exported, depth + 1)
        if (found) return found
      }
      if (
        statement.type === 'ExportDefaultDeclaration' &&
        exported === 'default' &&
        statement.declaration.type === 'Identifier'
      )
        return this.#declarationOf(source, statement.declaration.name)
      if (statement.type !== 'ExportNamedDeclaration') continue
      for (const each of statement.specifiers) {
        if (each.type !== 'ExportSpecifier' || exportedName(each) !== exported) continue
        return statement.source
          ? this.#exportOf(source, statement.source.value, each.local.name, depth + 1)
          : this.#declarationOf(source, each.local.name)
      }
    }
    return variableIn(source, exported)
  }
}

/** Whether a property is made of literals and the environment. */
function isPlain(source: Source, property: Node): boolean {
  return (
    property.type === 'ObjectProperty' &&
    source.nodes
      .filter(({ node }) => startOf(node) >= startOf(property) && endOf(node) <= endOf(property))
      .every(
        ({ node, parent, key }) =>
          /Literal$|^(?:Object|Binary|Unary|Logical|Conditional|Member)Expression$|^ObjectProperty$|^TemplateElement$/.test(
            node.type,
          ) ||
          (node.type === 'Identifier' &&
            (node.name === 'process' ||
              key === 'property' ||
              (parent?.type === 'ObjectProperty' && key === 'key' && !parent.shorthand))),
      )
  )
}

function isNextAuth(specifier: string): boolean {
  return specifier === 'next-auth' || specifier === 'next-auth/next'
}

/** What a file calls `NextAuth`. */
function nextAuthIn(source: Source): string | undefined {
  for (const statement of source.body) {
    if (statement.type !== 'ImportDeclaration' || !isNextAuth(statement.source.value)) continue
    const specifier = statement.specifiers.find(({ type }) => type === 'ImportDefaultSpecifier')
    if (specifier) return specifier.local.name
  }
  return undefined
}

function handlerIn(source: Source, nextAuth: string): Handler | undefined {
  for (const statement of source.body) {
    if (statement.type === 'ExportDefaultDeclaration') {
      const options = optionsOf(statement.declaration, nextAuth)
      if (options) return { statement, options, exporting: undefined }
    }
    const [name, made] =
      statement.type === 'FunctionDeclaration'
        ? [statement.id?.name, statement]
        : statement.type === 'VariableDeclaration' && statement.declarations.length === 1
          ? [nameOf(statement.declarations[0]?.id), statement.declarations[0]?.init]
          : []
    const options = made && optionsOf(made, nextAuth)
    if (!options) continue
    const exporting = source.body.find((each) =>
      each.type === 'ExportDefaultDeclaration'
        ? nameOf(each.declaration) === name
        : each.type === 'ExportNamedDeclaration' &&
          each.specifiers.length > 0 &&
          each.specifiers.every(
            (specifier) => specifier.type === 'ExportSpecifier' && specifier.local.name === name,
          ),
    )
    return { statement, options, exporting }
  }
  return undefined
}

/** The options in `NextAuth(options)`, or in a function that only calls `NextAuth(request, response, options)`. */
function optionsOf(node: Node, nextAuth: string): Node | undefined {
  switch (node.type) {
    case 'TSAsExpression':
    case 'AwaitExpression':
      return optionsOf(node.type === 'AwaitExpression' ? node.argument : node.expression, nextAuth)
    case 'CallExpression':
      return nameOf(node.callee) === nextAuth && node.arguments.length === 1
        ? node.arguments[0]
        : undefined
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return passedOptionsOf(node, nextAuth)
    default:
      return undefined
  }
}

/** The options of a function that only calls `NextAuth` with its own request and response. */
function passedOptionsOf(
  { body, params }: ArrowFunctionExpression | FunctionExpression | FunctionDeclaration,
  nextAuth: string,
): Node | undefined {
  const returned = body.type === 'BlockStatement' ? returnedBy(body) : body
  const call = returned?.type === 'AwaitExpression' ? returned.argument : returned
  if (call?.type !== 'CallExpression' || nameOf(call.callee) !== nextAuth) return undefined
  const [request, response, options] = call.arguments
  const isPassed = [request, response].every(
    (argument, index) => !argument || nameOf(argument) === nameOf(params[index]),
  )
  // Options that are made from the request are not for here.
  return isPassed && options?.type === 'Identifier' ? options : undefined
}

/** The value of a block that only returns. */
function returnedBy({ body }: BlockStatement): Node | null | undefined {
  const [only] = body
  return body.length === 1 && only?.type === 'ReturnStatement' ? only.argument : undefined
}

/** The function of the guide of version 4, `(...args) => getServerSession(...args, options)`: `auth` itself does that. */
function wrapperIn(
  source: Source,
  options: string,
): { name: string; statement: Statement; dropped: Node[] } | undefined {
  for (const statement of source.body) {
    const made = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (made?.type !== 'FunctionDeclaration') continue
    const call = returnedBy(made.body)
    if (call?.type !== 'CallExpression' || !made.id || made.params[0]?.type !== 'RestElement')
      continue
    const [spread, last] = call.arguments
    const callee = nameOf(call.callee)
    const imported = callee === undefined ? undefined : importOf(source, callee)
    if (spread?.type !== 'SpreadElement' || nameOf(last) !== options || !imported) continue
    if (!isNextAuth(imported.statement.source.value)) continue
    const others = source.references(callee ?? '').length > 2
    return { name: made.id.name, statement, dropped: others ? [] : [imported.specifier] }
  }
  return undefined
}

function variableIn(source: Source, name: string): Declared | undefined {
  for (const statement of source.body) {
    const made = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (made?.type !== 'VariableDeclaration') continue
    for (const { id, init } of made.declarations)
      if (nameOf(id) === name && init) return { source, name, statement, init }
  }
  return undefined
}

function objectIn(node: Node): ObjectExpression | undefined {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    return objectIn(node.expression)
  return node.type === 'ObjectExpression' ? node : undefined
}

function freeName(source: Source, names: readonly string[]): string {
  return names.find((name) => isFree(source, name)) ?? names.at(-1) ?? ''
}

function nameOf(node: Node | null | undefined): string | undefined {
  return node?.type === 'Identifier' ? node.name : undefined
}

function textOf(source: Source, node: Node | undefined): string {
  return node ? source.textOf(node) : ''
}

/** Where the app directory has what the pages directory has at `path`. */
function routeFor(path: string): string {
  const [, base = '', , rest = ''] = ROUTE.exec(path) ?? []
  const folder = rest.replace(/(?:\/index)?\.\w+$/, '')
  return `${base}app/${folder}/route${/\.tsx?$/.test(path) ? '.ts' : '.js'}`
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * Checks the built code of the library for syntax that bundlers and minifiers of applications lose:
 *
 *     node tools/check-output.ts
 *
 * The code is ES2022, without the parts of it that a supported version of a framework cannot read. The minifier of
 * Next.js 14.2 merges a template into the template around it and loses the escapes of the outer one. It also does
 * so with a function that returns a template, if it moves the function to its only call.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNode, type Node, parseSource, visit } from './syntax.ts'

/** The kinds of nodes that the code consists of. Each of them is ES2022 or older. */
const known = new Set(
  `ArrayExpression ArrayPattern ArrowFunctionExpression AssignmentExpression AssignmentPattern AwaitExpression
  BinaryExpression BlockStatement BreakStatement CallExpression CatchClause ChainExpression ClassBody ClassDeclaration
  ClassExpression ConditionalExpression ContinueStatement DoWhileStatement EmptyStatement ExportAllDeclaration
  ExportDefaultDeclaration ExportNamedDeclaration ExportSpecifier ExpressionStatement ForInStatement ForOfStatement
  ForStatement FunctionDeclaration FunctionExpression Identifier IfStatement ImportDeclaration ImportDefaultSpecifier
  ImportExpression ImportNamespaceSpecifier ImportSpecifier LabeledStatement Literal LogicalExpression MemberExpression
  MetaProperty MethodDefinition NewExpression ObjectExpression ObjectPattern ParenthesizedExpression PrivateIdentifier
  Program Property PropertyDefinition RestElement ReturnStatement SequenceExpression SpreadElement Super SwitchCase
  SwitchStatement TaggedTemplateExpression TemplateElement TemplateLiteral ThisExpression ThrowStatement TryStatement
  UnaryExpression UpdateExpression VariableDeclaration VariableDeclarator WhileStatement YieldExpression`.split(
    /\s+/,
  ),
)

/** Returns what must not be in the code, with file and line. @param files the code by file name. */
export function findLosses(files: Readonly<Record<string, string>>): string[] {
  const programs = Object.entries(files).map(([file, code]) => {
    const { program } = parseSource(file, code)
    return { file, code, program }
  })
  // Names, since a bundler of the application makes one module of all files.
  const makers = new Set<string>()
  for (const { program } of programs)
    visit(program, (node) => {
      const maker = templateMaker(node)
      if (maker !== undefined) makers.add(maker)
    })
  return programs.flatMap(({ file, code, program }) => {
    const found: string[] = []
    visit(program, (node, parents) => {
      const loss = newSyntax(node, parents) ?? lostEscape(node, parents, makers)
      if (loss !== undefined)
        found.push(`${file}:${code.slice(0, node.start).split('\n').length}: ${loss}`)
    })
    return found
  })
}

/** Returns why older parsers do not read a node. */
function newSyntax(node: Node, parents: readonly Node[]): string | undefined {
  if (!known.has(node.type)) return `${node.type} is not in the list of tools/check-output.ts`
  const { type, operator, left, kind, attributes, options, regex } = node
  if (type === 'BinaryExpression' && operator === 'in' && isNode(left))
    if (left.type === 'PrivateIdentifier')
      return '`#name in object` is not read by Next.js 14.0 and 14.1'
  if (type === 'VariableDeclaration' && /using/.test(String(kind))) return '`using` is not ES2022'
  if ((Array.isArray(attributes) && attributes.length > 0) || (options ?? null) !== null)
    return 'attributes of imports are not ES2022'
  const isAwait = type === 'AwaitExpression' || (type === 'ForOfStatement' && node['await'])
  if (isAwait && !parents.some((parent) => /Function/.test(parent.type)))
    return '`await` outside of a function'
  const { flags = '', pattern = '' } = (regex ?? {}) as { flags?: string; pattern?: string }
  if (/[dv]/.test(flags)) return `the flags "${flags}" of a regular expression are not ES2022`
  if (/\(\?[ims]*-?[ims]+:/.test(pattern)) return 'flags within a regular expression are not ES2022'
  return undefined
}

/** Returns how a minifier can lose an escape of a template. */
function lostEscape(
  node: Node,
  parents: readonly Node[],
  makers: ReadonlySet<string>,
): string | undefined {
  // The parts of a tagged template stay apart.
  if (node.type !== 'TemplateLiteral' || parents.at(-1)?.type === 'TaggedTemplateExpression') return
  const { quasis, expressions } = node as unknown as {
    quasis: readonly { value: { raw: string } }[]
    expressions: readonly Node[]
  }
  const inner = expressions.flatMap(operands)
  if (inner.some(isTemplate))
    return 'a template within a template loses the escapes of the outer one'
  if (!quasis.some(({ value }) => value.raw.includes('\\'))) return
  const maker = inner.map(calledName).find((name) => name !== undefined && makers.has(name))
  if (maker === undefined) return
  return `a template with an escape calls ${maker}, which returns a template: join the texts instead`
}

/** Returns the name of a function that returns a template. */
function templateMaker({ type, id, body, init }: Node): string | undefined {
  const isMaker = (made: unknown): boolean => {
    if (!isNode(made)) return false
    if (made.type !== 'BlockStatement') return operands(made).some(isTemplate)
    const last = (made['body'] as readonly Node[]).at(-1)
    return isNode(last?.['argument']) && operands(last['argument']).some(isTemplate)
  }
  const isArrow = isNode(init) && init.type === 'ArrowFunctionExpression'
  const made = type === 'FunctionDeclaration' ? body : isArrow ? init['body'] : undefined
  return isNode(id) && isMaker(made) ? (id['name'] as string) : undefined
}

/** Returns what a text is put together from. */
function operands(node: Node): Node[] {
  const { type, operator, left, right, expression } = node
  if (type === 'ParenthesizedExpression') return operands(expression as Node)
  if (type !== 'BinaryExpression' || operator !== '+') return [node]
  return [left, right].flatMap((side) => operands(side as Node))
}

function isTemplate(node: Node): boolean {
  return node.type === 'TemplateLiteral' && (node['expressions'] as readonly Node[]).length > 0
}

function calledName(node: Node): string | undefined {
  const { callee } = node
  return isNode(callee) && callee.type === 'Identifier' ? (callee['name'] as string) : undefined
}

if (import.meta.main) {
  const dist = fileURLToPath(new URL('../packages/latchkey/dist', import.meta.url))
  const files = globSync('**/*.js', { cwd: dist })
  const found = findLosses(
    Object.fromEntries(files.map((file) => [file, readFileSync(join(dist, file), 'utf8')])),
  )
  for (const line of found) console.error(line)
  if (files.length === 0) throw new Error(`${dist} is empty: run npm run build`)
  if (found.length > 0) process.exitCode = 1
}

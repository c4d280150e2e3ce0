import { posix } from 'node:path'
import type { Node, ObjectExpression } from '@babel/types'
import { NEXT_CONFIG, type Project } from './project.ts'
import { endOf, type Source } from './source.ts'

/** Has Latchkey compiled with the pages directory: Node.js alone does not find `next/headers` for it. */
export function moveNextConfig(project: Project, source: Source): void {
  if (!NEXT_CONFIG.test(source.path) || project.nextAuthOf(source.path) === undefined) return
  const folder = posix.dirname(source.path)
  const hasPages = [...project.files.keys()].some((path) =>
    /^(?:src\/)?pages\/.*\.[jt]sx?$/.test(posix.relative(folder, path)),
  )
  if (!hasPages) return
  const name = source.quoted('latchkey')
  const object = configIn(source)
  const property = object?.properties.find(
    (each) =>
      each.type === 'ObjectProperty' &&
      each.key.type === 'Identifier' &&
      each.key.name === 'transpilePackages',
  )
  if (object && !property) source.addProperties(object, [`transpilePackages: [${name}]`])
  else if (property?.type === 'ObjectProperty' && property.value.type === 'ArrayExpression') {
    const last = property.value.elements.at(-1)
    if (source.textOf(property.value).includes('latchkey')) return
    if (last) source.insert(endOf(last), `, ${name}`)
    else source.replace(property.value, `[${name}]`)
  } else
    source.leave(
      property ?? source.file,
      "say `transpilePackages: ['latchkey']`: Node.js alone does not find `next/headers` for the pages directory",
    )
}

function configIn(source: Source): ObjectExpression | undefined {
  for (const { node } of source.nodes) {
    const found: Node | null | undefined =
      node.type === 'ExportDefaultDeclaration'
        ? node.declaration
        : node.type === 'AssignmentExpression' && source.textOf(node.left) === 'module.exports'
          ? node.right
          : node.type === 'VariableDeclarator' &&
              node.id.type === 'Identifier' &&
              /config/i.test(node.id.name)
            ? node.init
            : undefined
    if (found?.type === 'ObjectExpression') return found
  }
  return undefined
}

import { importOf } from './imports.ts'
import { endOf, type Source, startOf } from './source.ts'

/** Early betas of version 5 called `unstable_update` by the name `update`. */
export function moveUpdate(source: Source): void {
  for (const { node } of source.nodes) {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'ObjectPattern') continue
    if (node.init?.type !== 'CallExpression' || node.init.callee.type !== 'Identifier') continue
    const imported = importOf(source, node.init.callee.name)
    if (imported?.statement.source.value !== 'next-auth') continue
    if (imported.specifier.type !== 'ImportDefaultSpecifier') continue
    for (const property of node.id.properties) {
      if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') continue
      if (property.key.name !== 'update') continue
      const { key, shorthand } = property
      source.edit(
        startOf(key),
        endOf(key),
        shorthand ? 'unstable_update: update' : 'unstable_update',
      )
    }
  }
}

/**
 * Stryker leaves the text of an error as it is, since it decides nothing.
 *
 * @typedef {{ node: { type: string }, parent?: { type: string, callee?: { name?: string } } }} Path
 */
const ignorer = {
  /** @param {Path} path */
  shouldIgnore({ node, parent }) {
    const isText = ['StringLiteral', 'TemplateLiteral', 'BinaryExpression'].includes(node.type)
    const isOfError = parent?.type === 'NewExpression' && parent.callee?.name?.endsWith('Error')
    return isText && isOfError ? 'the text of an error' : undefined
  },
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'error-texts', value: ignorer }]

import type { Node, ObjectExpression } from '@babel/types'
import { importOf } from './imports.ts'
import { memberOf, type Source } from './source.ts'

const METADATA = /\/\.well-known\/openid-configuration(?=['"`]$)/

/**
 * Rewrites providers that version 4 found by `wellKnown`, or asked for an ID token: here they have an `issuer` and the type
 * `oidc`. The `version` of OAuth is gone.
 */
export function moveProviders(source: Source): void {
  for (const { node, parent } of source.nodes) {
    if (node.type !== 'ObjectExpression') continue
    const type = memberOf(node, 'id') && memberOf(node, 'type')
    const isDescribed = type?.type === 'StringLiteral' && type.value === 'oauth'
    if (!isDescribed && !isCatalogued(source, parent)) continue
    const unwanted = new Set<Node>()
    const version = memberOf(node, 'version')
    if (version) unwanted.add(propertyOf(node, version))
    if (isDescribed) {
      const hasIssuer = moveWellKnown(source, node)
      const gone = moveIdToken(source, node, type, hasIssuer)
      if (gone) unwanted.add(gone)
    }
    if (unwanted.size > 0) source.removeFrom(node.properties, unwanted)
  }
}

/** Whether an object is given to a provider of the catalogue. */
function isCatalogued(source: Source, parent: Node | undefined): boolean {
  if (parent?.type !== 'CallExpression' || parent.callee.type !== 'Identifier') return false
  const from = importOf(source, parent.callee.name)?.statement.source.value
  return from?.startsWith('next-auth/providers/') ?? false
}

/** @returns the property, if it is no longer needed. */
function moveIdToken(
  source: Source,
  provider: ObjectExpression,
  type: Node,
  hasIssuer: boolean,
): Node | undefined {
  const idToken = memberOf(provider, 'idToken')
  if (!idToken) return undefined
  const property = propertyOf(provider, idToken)
  if (idToken.type !== 'BooleanLiteral' || (idToken.value && !hasIssuer)) {
    source.leave(property, "`idToken`: set the type `'oidc'` and `issuer` of the provider instead")
    return undefined
  }
  if (idToken.value) source.replace(type, source.quoted('oidc'))
  return property
}

/** Returns whether the provider has an issuer afterwards. */
function moveWellKnown(source: Source, provider: ObjectExpression): boolean {
  if (memberOf(provider, 'issuer')) return true
  const wellKnown = memberOf(provider, 'wellKnown')
  if (!wellKnown) return false
  const property = propertyOf(provider, wellKnown)
  const address = source.textOf(wellKnown)
  const isKnown = METADATA.test(address)
  if (isKnown) source.replace(property, `issuer: ${address.replace(METADATA, '')}`)
  source.leave(
    property,
    isKnown
      ? '`issuer` must be the `issuer` in the metadata, with or without a slash at its end; compare them'
      : '`wellKnown` also needs `issuer`, which the metadata contains',
  )
  return isKnown
}

function propertyOf(object: ObjectExpression, value: Node): Node {
  return (
    object.properties.find(
      (property) => property === value || ('value' in property && property.value === value),
    ) ?? value
  )
}

import type { Node, ObjectExpression } from '@babel/types'
import { memberOf, type Source } from './source.ts'

const METADATA = /\/\.well-known\/openid-configuration(?=['"`]$)/

/** Rewrites providers that version 4 found by `wellKnown`, or asked for an ID token: here they have an `issuer` and the type `oidc`. */
export function moveProviders(source: Source): void {
  for (const { node } of source.nodes) {
    if (node.type !== 'ObjectExpression' || !memberOf(node, 'id')) continue
    const type = memberOf(node, 'type')
    if (type?.type !== 'StringLiteral' || type.value !== 'oauth') continue
    const hasIssuer = moveWellKnown(source, node)
    const idToken = memberOf(node, 'idToken')
    if (!idToken) continue
    const property = propertyOf(node, idToken)
    if (idToken.type !== 'BooleanLiteral' || (idToken.value && !hasIssuer)) {
      source.leave(
        property,
        "`idToken`: set the type `'oidc'` and `issuer` of the provider instead",
      )
      continue
    }
    if (idToken.value) source.replace(type, source.quoted('oidc'))
    source.removeFrom(node.properties, new Set([property]))
  }
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

/**
 * The private key to which the tokens of a grant are bound (RFC 9449), as a JWK with string members (RFC 7517). It is
 * secret: it is stored sealed, and no callback receives it.
 */
export type ProofKey = Readonly<Record<string, string>>

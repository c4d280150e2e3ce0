/**
 * The private key that the tokens of a grant are bound to (RFC 9449), as a JWK whose members are all text
 * (RFC 7517). Secret: it is stored sealed, and no callback is given it.
 */
export type ProofKey = Readonly<Record<string, string>>

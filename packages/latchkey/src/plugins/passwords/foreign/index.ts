/**
 * Password hashes of other systems, for the option `foreign` of `passwords()`. A right password is hashed anew at the next
 * sign-in.
 *
 * @module
 */
export { argon2 } from './argon2.ts'
export { aspNetIdentity } from './asp-net-identity.ts'
export { bcrypt } from './bcrypt.ts'
export { betterAuth } from './better-auth.ts'
export { digest } from './digest.ts'
export { django } from './django.ts'
export { type FirebaseParameters, firebaseScrypt } from './firebase-scrypt.ts'
export type { ForeignHash, ForeignHashInput, WrappedHash } from './foreign-hash.ts'
export { keycloak } from './keycloak.ts'
export { scrypt } from './scrypt.ts'
export { superTokens } from './super-tokens.ts'

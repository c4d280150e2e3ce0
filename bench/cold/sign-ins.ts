// Milliseconds of processor time that each of the first sign-ins with OpenID Connect of a process takes.
import { firstSignIns, type Who } from '../cases/oidc.ts'

console.log((await firstSignIns(process.argv[4] as Who)) / 1000)

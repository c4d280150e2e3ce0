import {
  type Arguments,
  aFunction,
  among,
  aNumber,
  anything,
  aRequest,
  aText,
  checkArguments,
  only,
  optional,
  orNull,
  requestOrHeaders,
} from './arguments.ts'

type Checked = 'getProviderToken' | 'maintain' | 'protect' | 'signIn' | 'signOut'

/** What functions of an instance accept. Options may have further members, for example those of a form. */
const kinds: Readonly<Record<Checked, Arguments>> = {
  getProviderToken: { input: requestOrHeaders, provider: aText },
  maintain: { options: only<{ budgetMs?: number }>({ budgetMs: optional(aNumber) }) },
  protect: {
    request: aRequest,
    options: among({
      path: optional(aText),
      native: anything,
      redirectsOnlyPages: anything,
      authorized: optional(aFunction),
    }),
  },
  // The field of a form that lacks it is `null`.
  signIn: { request: aRequest, provider: optional(orNull(aText)) },
  signOut: {
    request: aRequest,
    options: optional(
      among({ redirectTo: optional(aText), federated: anything, forget: anything }),
    ),
  },
}

/** @throws {TypeError} for the first argument that does not fit. */
export function checkCall(name: Checked, values: readonly unknown[]): void {
  checkArguments(`latchkey.${name}`, kinds[name], values)
}

import * as peerRoot from '@auth/core'
import * as peerErrors from '@auth/core/errors'
import * as peerJwt from '@auth/core/jwt'
import * as root from 'latchkey'
import * as errors from 'latchkey/errors'
import * as jwt from 'latchkey/jwt'
import { describe, expect, test } from 'vitest'

describe('an export', () => {
  test.for([
    { name: 'latchkey', ours: root, theirs: peerRoot },
    { name: 'latchkey/errors', ours: errors, theirs: peerErrors },
    { name: 'latchkey/jwt', ours: jwt, theirs: peerJwt },
  ])('exists in both packages: $name', ({ ours, theirs }) => {
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(Object.keys(theirs)))
  })

  test.for(Object.keys(peerErrors))('is an error of the same kind: %s', (name) => {
    const [ours, theirs] = [errors, peerErrors].map((module) => {
      const Constructor = (module as unknown as Record<string, new (message: string) => Error>)[
        name
      ]
      if (!Constructor) throw new Error(`there is no ${name}`)
      const { type, kind, code } = new Constructor('message') as Error & Record<string, unknown>
      return { name: new Constructor('message').name, type, kind: kind ?? 'error', code }
    })
    // Where it is reported is a departure: D-25.
    const departure = name === 'OAuthProfileParseError' ? { kind: 'signIn' } : {}
    expect(ours).toEqual({ ...theirs, ...departure })
  })
})

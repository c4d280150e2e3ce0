import type { AdapterAccount } from '../../model/account.ts'
import { isAdapterConflict } from '../../model/adapter.ts'
import { ACCOUNT_METHODS, type AdapterCase, AUTHENTICATOR_METHODS } from './cases.ts'
import { CROWD, crowd, expectConflict, expectConflictOf, failure } from './crowd.ts'
import { expect } from './expect.ts'
import { account, authenticator, NEAR_TEXTS, SPLIT_PAIRS, user } from './resources.ts'

export const accountCases: readonly AdapterCase[] = [
  {
    name: 'a user is found by an account',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.linkAccount(account())
      await adapter.linkAccount(account({ userId: 'other', providerAccountId: 'bob' }))
      const found = await adapter.getUserByAccount({
        provider: 'acme',
        providerAccountId: 'subject',
      })
      expect(found).toMatchObject(user())
      expect('provider' in (found ?? {})).toBe(false)
    },
  },
  {
    name: 'an account is returned completely, with tokens of 8 kB and an expiry after 2038',
    requirements: ['A-35', 'A-37'],
    needs: [...ACCOUNT_METHODS, 'getAccount'],
    async run(adapter) {
      const whole = account({
        type: 'oidc',
        access_token: 'a'.repeat(8192),
        refresh_token: 'r'.repeat(8192),
        id_token: 'i'.repeat(8192),
        expires_at: 253_402_300_799,
        token_type: 'bearer',
        scope: 'openid profile '.repeat(200),
        session_state: 'state.1',
      })
      await adapter.createUser(user())
      await adapter.linkAccount(whole)
      expect(await adapter.getAccount('subject', 'acme')).toMatchObject(whole)
    },
  },
  {
    name: 'members that a linked account did not have are returned as null',
    requirements: ['A-31', 'A-32'],
    needs: [...ACCOUNT_METHODS, 'getAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account({ scope: undefined } as unknown as AdapterAccount))
      expect(await adapter.getAccount('subject', 'acme')).toMatchObject({
        refresh_token: null,
        access_token: null,
        expires_at: null,
        token_type: null,
        scope: null,
        id_token: null,
        session_state: null,
      })
    },
  },
  {
    name: 'an unusual member of a token response does not stop the sign-in',
    requirements: ['A-30'],
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(
        account({ ext_expires_in: 3599, 'not-before-policy': 0, 'nul\0': 'nul\0' }),
      )
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'linking an account that exists is a conflict for every user, and its owner stays the same',
    requirements: ['A-14', 'A-21'],
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.linkAccount(account())
      await expectConflictOf(() => adapter.linkAccount(account()), 'account')
      await expectConflictOf(() => adapter.linkAccount(account({ userId: 'other' })), 'account')
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'T-LINK-4: of many parallel links of one account exactly one succeeds',
    requirements: ['A-11', 'A-21'],
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      for (let index = 0; index < CROWD; index++) {
        await adapter.createUser(user({ id: `user-${index}`, email: `${index}@x.example` }))
      }
      const { won, lost } = await crowd((index) =>
        Promise.resolve(adapter.linkAccount(account({ userId: `user-${index}` }))).then(
          () => `user-${index}`,
        ),
      )
      expect(won).toHaveLength(1)
      for (const error of lost) expectConflict(error, 'account')
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: won[0] })
    },
  },
  {
    name: 'T-DATA-2: an account is found by provider and subject together',
    requirements: ['A-21'],
    needs: [...ACCOUNT_METHODS, 'getAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.createUser(user({ id: 'other', email: 'bob@x.example' }))
      await adapter.linkAccount(account())
      const elsewhere = { provider: 'other', providerAccountId: 'subject' }
      const somebody = { provider: 'acme', providerAccountId: 'other' }
      expect(await adapter.getUserByAccount(elsewhere)).toBeNull()
      expect(await adapter.getUserByAccount(somebody)).toBeNull()
      expect(await adapter.getAccount('subject', 'other')).toBeNull()
      expect(await adapter.getAccount('acme', 'subject')).toBeNull()
      await adapter.linkAccount(account({ ...elsewhere, userId: 'other' }))
      expect(await adapter.getUserByAccount(elsewhere)).toMatchObject({ id: 'other' })
      expect(await adapter.getUserByAccount(account())).toMatchObject({ id: user().id })
    },
  },
  {
    name: 'T-DATA-2: two different pairs of provider and subject are never the same key',
    requirements: ['A-25'],
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const [[provider, providerAccountId], [otherProvider, otherId]] of SPLIT_PAIRS) {
        await adapter.linkAccount(account({ provider, providerAccountId }))
        const other = { provider: otherProvider, providerAccountId: otherId }
        expect(await adapter.getUserByAccount(other)).toBeNull()
      }
    },
  },
  {
    name: 'T-DATA-2: subjects compare byte for byte',
    requirements: ['A-24'],
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      await adapter.createUser(user())
      for (const [one, other] of NEAR_TEXTS) {
        await adapter.linkAccount(account({ providerAccountId: one }))
        expect(
          await adapter.getUserByAccount({ provider: 'acme', providerAccountId: other }),
        ).toBeNull()
        await adapter.linkAccount(account({ providerAccountId: other }))
      }
    },
  },
  {
    name: 'an account of a user that does not exist is not linked',
    needs: ACCOUNT_METHODS,
    async run(adapter) {
      const error = await failure(() => adapter.linkAccount(account()))
      expect(isAdapterConflict(error)).toBe(false)
      await adapter.createUser(user())
      expect(await adapter.getUserByAccount(account())).toBeNull()
    },
  },
  {
    name: 'an unlinked account is not found; unlinking it again succeeds',
    requirements: ['A-13'],
    needs: [...ACCOUNT_METHODS, 'unlinkAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      await adapter.linkAccount(account())
      await adapter.linkAccount(account({ provider: 'other' }))
      await adapter.unlinkAccount({ provider: 'acme', providerAccountId: 'subject' })
      await adapter.unlinkAccount({ provider: 'acme', providerAccountId: 'subject' })
      expect(await adapter.getUserByAccount(account())).toBeNull()
      expect(await adapter.getUserByAccount(account({ provider: 'other' }))).notToBeNull()
      await adapter.linkAccount(account())
    },
  },
  {
    name: 'unlinking the account of a passkey removes the passkey',
    needs: [...ACCOUNT_METHODS, ...AUTHENTICATOR_METHODS, 'unlinkAccount'],
    async run(adapter) {
      await adapter.createUser(user())
      for (const credentialID of ['b25l', 'b3RoZXI=']) {
        const key = { provider: 'passkey', providerAccountId: credentialID }
        await adapter.linkAccount(account({ ...key, type: 'webauthn' }))
        await adapter.createAuthenticator(
          authenticator({ credentialID, providerAccountId: credentialID }),
        )
      }
      await adapter.unlinkAccount({ provider: 'passkey', providerAccountId: 'b25l' })
      expect(await adapter.getAuthenticator('b25l')).toBeNull()
      expect(await adapter.getAuthenticator('b3RoZXI=')).notToBeNull()
    },
  },
  {
    name: 'accounts and authenticators are returned as plain, new objects',
    requirements: ['A-39'],
    needs: [...ACCOUNT_METHODS, ...AUTHENTICATOR_METHODS, 'getAccount'],
    async run(adapter) {
      const [linked, made] = [account({ scope: 'openid' }), authenticator()]
      const { provider, providerAccountId } = account()
      const { credentialID } = authenticator()
      const read = async () => [
        await adapter.getAccount(providerAccountId, provider),
        await adapter.getAuthenticator(credentialID),
        ...(await adapter.listAuthenticatorsByUserId(user().id)),
      ]
      await adapter.createUser(user())
      await adapter.linkAccount(linked)
      const created = await adapter.createAuthenticator(made)
      Object.assign(linked, { scope: 'changed' })
      for (const each of [made, created]) Object.assign(each, { transports: 'changed' })
      for (const result of [created, ...(await read())]) {
        expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
        expect(structuredClone(result)).toEqual(result)
        Object.assign(result ?? {}, { scope: 'changed', transports: 'changed' })
      }
      const [stored, ...authenticators] = await read()
      expect(stored).toMatchObject({ scope: 'openid' })
      expect(authenticators).toHaveLength(2)
      for (const each of authenticators)
        expect(each).toMatchObject({ transports: authenticator().transports })
    },
  },
]

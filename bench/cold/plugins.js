// The same as latchkey.js, with three plugins, with all of accounts or, for the comparison, with none of them.
const start = performance.now()
const [, , cookie = '', secret = '', asked] = process.argv
const { Auth } = await import('latchkey')
const { default: credentials } = await import('latchkey/providers/credentials')
const { memoryAdapter } = await import('latchkey/adapters/memory')
const plugins =
  asked === 'plugins' ? await three() : asked === 'accounts' ? await ofAccounts() : undefined
const request = new Request('https://app.example/auth/session', { headers: { cookie } })
const response = await Auth(request, {
  basePath: '/auth',
  trustHost: true,
  secret,
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
  providers: [credentials({ credentials: {}, authorize: () => null })],
  ...(plugins && { plugins }),
})
const end = performance.now()
const session = await response.json()
if (session?.user?.name !== 'Ada') throw new Error('wrong answer')
console.log(end - start)

async function three() {
  const [{ sessions }, { limits }, { providerTokens }] = await Promise.all([
    import('latchkey/plugins/sessions'),
    import('latchkey/plugins/limits'),
    import('latchkey/plugins/provider-tokens'),
  ])
  // Of sessions that were ended the store is asked, which is no matter of starting.
  return [sessions({ revocations: false, touch: 0 }), limits(), providerTokens()]
}

async function ofAccounts() {
  const { accounts } = await import('latchkey/plugins/accounts')
  const options = { emailCode: true, usernames: true }
  return accounts({ ...options, sessions: { revocations: false, touch: 0 } })
}

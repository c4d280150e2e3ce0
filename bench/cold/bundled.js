// The same as latchkey.js and auth-core.js, with the library in the files that an application's bundler made.
const start = performance.now()
const [, , cookie = '', secret = '', file = ''] = process.argv
const { Auth, credentials } = await import(file)
const request = new Request('https://app.example/auth/session', { headers: { cookie } })
const response = await Auth(request, {
  basePath: '/auth',
  trustHost: true,
  secret,
  providers: [credentials({ credentials: {}, authorize: () => null })],
})
const end = performance.now()
const session = await response.json()
if (session?.user?.name !== 'Ada') throw new Error('wrong answer')
console.log(end - start)

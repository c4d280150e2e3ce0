// From the first import to the first answer: who is signed in, according to a sealed cookie.
const start = performance.now()
const { Auth } = await import('@auth/core')
const { default: credentials } = await import('@auth/core/providers/credentials')
const request = new Request('https://app.example/auth/session', {
  headers: { cookie: process.argv[2] ?? '' },
})
const response = await Auth(request, {
  basePath: '/auth',
  trustHost: true,
  secret: process.argv[3] ?? '',
  providers: [credentials({ credentials: {}, authorize: () => null })],
})
const end = performance.now()
const session = await response.json()
if (session?.user?.name !== 'Ada') throw new Error('wrong answer')
console.log(end - start)

// The same question, answered by one small file: what loading a file and its first run cost at least.
const start = performance.now()
const { answer } = await import('./least.js')
const request = new Request('https://app.example/auth/session', {
  headers: { cookie: process.argv[2] ?? '' },
})
const response = answer(request, process.argv[3] ?? '')
const end = performance.now()
const session = await response.json()
if (session?.user?.name !== 'Ada') throw new Error('wrong answer')
console.log(end - start)

// The runtime's own share: its classes are loaded when they are first used.
const start = performance.now()
const request = new Request('https://app.example/auth/session')
const response = new Response(null)
if (!request.url || response.status !== 200) throw new Error('no answer')
console.log(performance.now() - start)

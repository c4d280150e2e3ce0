import { request as send } from 'node:http'

/** The class itself, which a test may replace. */
const Plain = Request

/** Sends a request without following redirects, and with its own headers only: `fetch` adds `Sec-Fetch-Mode: cors`. */
export async function unlikeFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const request = new Plain(url, init)
  const { method } = request
  const headers = Object.fromEntries(request.headers)
  const body = Buffer.from(await request.arrayBuffer())
  return new Promise((resolve, reject) => {
    const asked = send(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => void chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const { statusCode: status = 500, rawHeaders } = answer
        const received = new Headers()
        for (let i = 0; i < rawHeaders.length; i += 2)
          received.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
        const isEmpty = status === 204 || status === 304
        resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: received }))
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

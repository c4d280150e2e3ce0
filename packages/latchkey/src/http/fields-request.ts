import type { Form } from './form.ts'

/** Returns the request for a function of the application: URL and headers of the original, and the fields as JSON. */
export function fieldsRequest(original: Request, form: Form): Request {
  const { url, headers } = original
  const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(form) })
  request.headers.set('content-type', 'application/json')
  request.headers.delete('content-length')
  return request
}

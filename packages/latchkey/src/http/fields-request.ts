import type { Form } from './form.ts'

/** A request as an application's function is given it: the original's address and headers, the fields as JSON. */
export function fieldsRequest(original: Request, form: Form): Request {
  const { url, headers } = original
  const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(form) })
  request.headers.set('content-type', 'application/json')
  request.headers.delete('content-length')
  return request
}

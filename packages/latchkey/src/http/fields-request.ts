import type { Form } from './form.ts'

/** A request as an application's function is given it: the original's address and headers, the fields as JSON. */
export function fieldsRequest(original: Request, form: Form): Request {
  const headers = new Headers(original.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  return new Request(original.url, { method: 'POST', headers, body: JSON.stringify(form) })
}

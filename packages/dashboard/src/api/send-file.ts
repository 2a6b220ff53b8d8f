import { errorOf, unreachable } from '@svc/client'
import { chosenOrganization } from './chosen-organization.ts'
import { writeBegins, writeEnds } from './own-requests.ts'

export interface FileSending {
  /** Ends the request. The promise is then rejected with an `AbortError`. */
  signal: AbortSignal
  /** How many bytes have left the browser. */
  sent: (bytes: number) => void
}

/**
 * Sends a file as the body of a POST and returns the `data` of the answer. The browser reads the file from the disk while
 * it sends it, and tells how far it is, which `fetch` does not. Throws an `ApiError`, as all calls do.
 */
export async function sendFile<Answer>(path: string, file: Blob, { signal, sent }: FileSending): Promise<Answer> {
  signal.throwIfAborted()
  writeBegins()
  let requestId: string | null = null
  try {
    const answer = await answerTo(path, file, { signal, sent })
    requestId = answer.headers.get('x-request-id')
    if (!answer.ok) throw await errorOf(answer)
    return ((await answer.json()) as { data: Answer }).data
  } finally {
    writeEnds(requestId)
  }
}

const answerTo = (path: string, file: Blob, { signal, sent }: FileSending): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const organization = chosenOrganization()
    request.open('POST', path)
    // What is in the file shows its format.
    request.setRequestHeader('content-type', 'application/octet-stream')
    if (organization) request.setRequestHeader('svc-org-id', organization)
    request.upload.onprogress = ({ loaded }) => sent(loaded)
    request.onload = () => {
      const id = request.getResponseHeader('x-request-id')
      resolve(new Response(request.responseText, { status: request.status, headers: id ? { 'x-request-id': id } : {} }))
    }
    request.onerror = () => reject(unreachable(new Error('The request has ended without an answer.')))
    request.onabort = () => reject(signal.reason)
    const end = () => request.abort()
    signal.addEventListener('abort', end, { once: true })
    request.onloadend = () => signal.removeEventListener('abort', end)
    request.send(file)
  })

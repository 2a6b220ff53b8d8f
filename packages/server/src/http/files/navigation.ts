interface Request {
  method?: string | undefined
  url?: string | undefined
  headers: { accept?: string | undefined }
}

/** Whether a person opens an address in a browser. Programs get the API's answers, also for unknown addresses. */
export function isNavigation({ method, url = '/', headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !/^\/api(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html')
}

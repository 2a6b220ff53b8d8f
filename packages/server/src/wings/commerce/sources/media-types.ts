/** What the body of a file can be called. What is in it shows its format. */
export const fileMediaTypes = [
  ...['application/octet-stream', 'application/gzip', 'application/x-gzip', 'text/plain'],
  ...['text/csv', 'text/tab-separated-values', 'application/xml', 'text/xml', 'application/rss+xml'],
  ...['application/atom+xml', 'application/json', 'application/jsonl', 'application/x-ndjson'],
]

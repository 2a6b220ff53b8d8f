import { createHash } from 'node:crypto'

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-content:center;gap:8px;padding:16px;box-sizing:border-box;
text-align:center;font:14px/20px system-ui,sans-serif;color:#16191f;background:#f6f7f9}
h1{margin:0;font-size:18px;line-height:26px}
p{margin:0;color:#535b69}
@media (prefers-color-scheme:dark){body{color:#e8eaee;background:#0e1014}p{color:#a9b1be}}`

/** What a browser shows while the service starts. No other file is served yet, so the page needs none. */
export const startingPage = (retryAfterSeconds: number): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>Svc is starting</title>
<style>${style}</style>
</head>
<body>
<h1>Svc is starting</h1>
<p>This page opens as soon as it is ready.</p>
</body>
</html>
`

/** Allows the one style of the page, by its hash, and nothing else. */
export const startingPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// Plain JavaScript that any Node can run: it explains what TypeScript sources would only fail on.
const needed = 24
const found = Number(process.versions.node.split('.')[0])
if (found < needed) {
  process.stderr.write(
    `svc: Node ${needed} or newer is needed, this is ${process.version}.\n` +
      'On Linux (x64, arm64) npm installs it with the project: run npm ci without --omit=optional.\n' +
      'Elsewhere install Node 24 from https://nodejs.org and run the command again.\n',
  )
  process.exit(1)
}

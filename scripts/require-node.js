// Plain JavaScript that any Node can run: it explains what TypeScript sources would only fail on.
import { existsSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const needed = 24
const found = Number(process.versions.node.split('.')[0])
if (found < needed && !linkPinnedNode()) {
  process.stderr.write(
    `svc: Node ${needed} or newer is needed, this is ${process.version}.\n` +
      'On Linux (x64, arm64) npm installs it with the project: run npm ci without --omit=optional.\n' +
      'Elsewhere install Node 24 from https://nodejs.org and run the command again.\n',
  )
  process.exit(1)
}

/**
 * npm 10 installs the pinned Node but not its name in node_modules/.bin: clearing the one for the other processor away, it
 * clears the link that both would have. The scripts that follow this one find Node by that link.
 */
function linkPinnedNode() {
  const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
  const pinned = `../node-linux-${process.arch}/bin/node`
  const link = `${modules}.bin/node`
  if (!existsSync(`${modules}.bin/${pinned}`) || existsSync(link)) return false
  symlinkSync(pinned, link)
  return true
}

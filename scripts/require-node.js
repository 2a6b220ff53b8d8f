// Plain JavaScript for any Node version: an old Node fails on TypeScript sources without an explanation.
import { existsSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const needed = 24
const found = Number(process.versions.node.split('.')[0])
if (found < needed && !linkPinnedNode()) {
  process.stderr.write(
    `svc needs Node ${needed} or newer; this is Node ${process.versions.node}.\n` +
      'On Linux (x64, arm64) npm installs it with the project: run npm ci without --omit=optional.\n' +
      'Elsewhere, install Node 24 from https://nodejs.org and run the command again.\n',
  )
  process.exit(1)
}

/**
 * npm 10 installs the pinned Node without its link in node_modules/.bin: when it removes the package for the other
 * processor, it removes the link of both. The next scripts find Node by that link.
 */
function linkPinnedNode() {
  const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
  const pinned = `../node-linux-${process.arch}/bin/node`
  const link = `${modules}.bin/node`
  if (!existsSync(`${modules}.bin/${pinned}`) || existsSync(link)) return false
  symlinkSync(pinned, link)
  return true
}

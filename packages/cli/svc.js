#!/usr/bin/env node
// In a checkout that was never built there are only sources, which need a Node that runs TypeScript.
import { existsSync } from 'node:fs'

const built = new URL('dist/svc.js', import.meta.url)
await import(existsSync(built) ? built : new URL('src/main.ts', import.meta.url))

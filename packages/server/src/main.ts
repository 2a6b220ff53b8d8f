import './compile-cache.ts'

// Imported after the cache is on.
await import('./run.ts')

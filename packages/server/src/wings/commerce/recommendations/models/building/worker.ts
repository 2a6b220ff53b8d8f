import { parentPort } from 'node:worker_threads'
import type { ToThread } from './actions.ts'
import { build, type Product } from './build.ts'

// The thread that builds models. It ends with its one answer.

const products: Product[] = []

parentPort!.on('message', (message: ToThread) => {
  if ('products' in message) {
    products.push(...message.products)
    return
  }
  const built = build(message.task, products)
  const buffers = built.models.map(({ buffer }) => buffer as ArrayBuffer)
  parentPort!.postMessage(built, buffers)
})

import { readFlags } from '../flags'
import { Checkout } from './checkout'

/** Rendered on the server only. The visitor counts here, where the difference shows. */
export default async function Page() {
  const { client, context } = await readFlags()
  const isNew = client.getBoolean('new-checkout', false, context)
  return (
    <main>
      <h1>{isNew ? 'The new shop' : 'The shop'}</h1>
      <Checkout />
    </main>
  )
}

import { isForPage } from '@svc/core'
import type { Client } from './client.ts'
import { connectionOf } from './connection.ts'
import type { Context } from './details.ts'
import { uncached } from './requests/uncached.ts'
import { asJson } from './visitors/as-json.ts'
import { onceEach } from './warn-once.ts'

/** One line of an order. */
export interface OrderItem {
  /** The id of the item in the shop's catalog: 1 to 100 characters. */
  itemId: string
  /** Pieces: a whole number from 1. */
  quantity: number
  /** Of one piece, in the currency of the order: a decimal text such as `'19.99'`, or a number with at most 4 decimals. */
  price: string | number
}

/** An order that a visitor has placed. Amounts are decimal texts such as `'59.92'`, or numbers with at most 4 decimals. */
export interface Order {
  /** The id that the shop has given it: 1 to 100 characters. It counts once in its environment. */
  orderId: string
  /** A code of ISO 4217 in capital letters, such as `EUR`. */
  currency: string
  /** What the visitor pays, with taxes and shipping. */
  total: string | number
  /** The part of the total that is taxes. Default: 0. */
  tax?: string | number
  /** The part of the total that is shipping. Default: 0. */
  shipping?: string | number
  /** What was taken off; it is not in the total. Default: 0. */
  discount?: string | number
  /** 1 to 200 lines. */
  items: readonly OrderItem[]
}

/**
 * Reports an order. Metrics of A/B tests count it as revenue, margin and pieces. It is sent as `client.track` sends an
 * event, and the service counts an `orderId` once, however often it is sent. Never throws.
 *
 * @param client a client of `createClient`
 * @param placed the order
 * @param context the visitor, by `targetingKey`
 * @example
 * order(client, { orderId: '100234', currency: 'EUR', total: '59.92', tax: '9.57', shipping: '4.95',
 *   items: [{ itemId: 'SKU-17-M', quantity: 3, price: '19.99' }] }, { targetingKey: 'u-17' })
 */
export const order = (client: Pick<Client, 'track'>, placed: Order, context: Context): void =>
  client.track('order', { context, properties: { ...placed } })

/** What a visitor did with a product. `order`: it was bought; `productId` can then be the id of an item. */
export interface RecentAction {
  /** The id of a product. */
  productId: string
  /** Such as `product_viewed`. */
  action: string
}

/** What {@link shop} needs. */
export interface ShopOptions {
  /** A client of `createClient`. It evaluates flags and sends events. */
  client: Pick<Client, 'track' | 'getString' | 'setTracking' | 'waitUntilReady' | 'dataFile'>
  /** The SDK key of the environment, `sdk_…`, as for the client. */
  sdkKey: string
  /** The address of the service, as for the client. */
  baseUrl: string
  /** The visitor of the page, by `targetingKey`. A server has many, and passes them with each call instead. */
  context?: Context
  /**
   * Where the last products of the visitor are kept: those seen and those bought. Default: the `localStorage` of a page,
   * and nothing elsewhere. `null`: nowhere.
   */
  storage?: Pick<Storage, 'getItem' | 'setItem'> | null
  /** `false`: nothing is kept of the visitor until `setTracking(true)`. The option of the client by this name goes with it. */
  tracking?: boolean
  /** Milliseconds that a page waits for products, and for the flag of a placement. Default: 2,000. */
  timeoutMs?: number
  /** Replaces the built-in `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** What a page asks of a placement. */
export interface Asked {
  /** What the page shows, or what is in the cart: up to 50. */
  productIds?: readonly string[]
  /** Only this category and those below it, such as `Clothing > Shirts`, of lists of what is popular. */
  category?: string
  /** Conditions that items must pass, as in targeting: up to 10. */
  filter?: object
  /** Products that must not be shown: up to 100. */
  exclude?: readonly string[]
  /** The most products: 1 to 50. Default: the limit of the placement. */
  limit?: number
  /** What the visitor did, the latest first. Default: what is kept of the visitor. */
  recent?: readonly RecentAction[]
  /** The visitor. Default: that of {@link shop}. */
  context?: Context
}

/** A product to show. */
export interface RecommendedItem {
  /** The id of the product. */
  productId: string
  /** The id of the item that stands for it: one in stock, of these the cheapest. */
  itemId: string
  /** After boosts. */
  score: number
  /** Null: only a pin has brought the product. */
  strategy: string | null
  /** Whether a person has put it to its place. */
  pinned: boolean
  /** What a page shows. */
  product: {
    title: string
    link: string
    imageLink: string | null
    /** A decimal text. */
    price: string
    /** Null unless it is valid now. */
    salePrice: string | null
    currency: string
  }
}

/** The products of a placement. */
export interface Recommended {
  /** Null if the service was not asked, or did not answer. */
  recommendationId: string | null
  /** The key of the placement. */
  placement: string
  /** The variant that the visitor gets. */
  variant: string
  /** The products in their order. */
  items: readonly RecommendedItem[]
  /** Reports that the visitor sees the products, once. Without products, it does nothing. */
  shown(): void
  /** Reports that the visitor has chosen a product. */
  clicked(productId: string): void
}

/** What {@link shop} makes. No method throws. */
export interface Shop {
  /**
   * The products of a placement. The flag `recommend-<placement>` chooses the variant, if the data file has it, and
   * counts the visitor; for its value `none`, the service is not asked. If the service does not answer, there are no
   * products.
   */
  recommend(placement: string, asked?: Asked): Promise<Recommended>
  /** Reports that the visitor looks at a product, and keeps it. */
  viewed(productId: string, context?: Context): void
  /** Reports an order, as {@link order} does, and keeps what was bought. */
  order(placed: Order, context?: Context): void
  /** As `client.setTracking`. `false` also forgets what is kept. */
  setTracking(wanted: boolean): void
}

const kept = 'svc-recent'
/** Together, they are as many as a request can have. */
const mostSeen = 20
const mostBought = 30
/** Of a refusal, in a log. */
const mostTold = 200

/**
 * Recommendations for a page or a server.
 *
 * @example
 * const { recommend, viewed } = shop({ client, sdkKey, baseUrl, context: { targetingKey: 'u-17' } })
 * viewed('G17')
 * const result = await recommend('product-page', { productIds: ['G17'] })
 * for (const { product } of result.items) console.log(product.title, product.price)
 * result.shown()
 */
// long-function: the script for pages has no bytes left for what a split would add
export const shop = (options: ShopOptions): Shop => {
  const { client, sdkKey, baseUrl, context, storage, timeoutMs = 2_000 } = options
  let { tracking: remembers = true } = options

  const warn = isForPage ? undefined : connectionOf(client)?.settings.warn
  const warnOnce = !isForPage && warn && onceEach(warn)

  /** A page can forbid its storage, and anybody can write into it or pass anything. */
  const stored = (next?: () => RecentAction[]): RecentAction[] => {
    try {
      const place = storage === undefined && typeof document === 'object' ? localStorage : storage
      if (next) place?.setItem(kept, JSON.stringify(next(), isForPage ? undefined : asJson))
      else return JSON.parse(place?.getItem(kept) || '[]').filter((each?: RecentAction) => each?.productId)
    } catch {}
    return []
  }

  const remember = (productIds: () => readonly string[], action: string): unknown =>
    remembers &&
    stored(() => {
      const counts: Record<string, number> = {}
      return [...productIds().map((productId) => ({ productId, action })), ...stored()].filter(
        ({ productId, action: done }, place, list) =>
          list.findIndex((other) => other.productId === productId && other.action === done) === place &&
          // biome-ignore lint/suspicious/noAssignInExpressions: short for pages
          (counts[done] = (counts[done] || 0) + 1) <= (done === 'order' ? mostBought : mostSeen),
      )
    })

  const ask = async (body: object): Promise<{ recommendationId: string | null; items: RecommendedItem[] }> => {
    let fault: unknown
    try {
      const answer = await (options.fetch || fetch)(`${baseUrl.replace(/\/+$/, '')}/api/sdk/v1/recommendations`, {
        method: 'POST',
        // A text needs no preflight request.
        body: JSON.stringify(body, isForPage ? undefined : asJson),
        signal: AbortSignal.timeout(timeoutMs),
        // A redirect would turn it into a GET. Frameworks keep the answers of posts, too.
        ...(!isForPage && { ...uncached, redirect: 'manual' }),
      })
      // The build for pages shortens the name `json`.
      const text = await answer.text()
      if (answer.ok) return JSON.parse(text)
      if (!isForPage) fault = `HTTP ${answer.status} ${text.slice(0, mostTold)}`
    } catch (cause) {
      if (!isForPage) fault = cause
    }
    // A browser shows each refused request by itself.
    if (!isForPage && warnOnce) warnOnce('there are no products', fault, String(fault))
    return { recommendationId: null, items: [] }
  }

  return {
    async recommend(placement, { context: visitor = context, ...asked } = {}) {
      const flag = `recommend-${placement}`
      await client.waitUntilReady({ timeoutMs })
      const hasFlag = client.dataFile?.flags[flag]
      const variant = hasFlag ? client.getString(flag, 'default', visitor) : 'default'
      const unit = (visitor as { targetingKey?: string | number } | undefined)?.targetingKey
      const { recommendationId, items } =
        variant === 'none'
          ? { recommendationId: null, items: [] }
          : await ask({
              ...{ sdkKey, placement, variant },
              ...(unit !== undefined && { unit: `${unit}` }),
              recent: remembers ? stored() : [],
              ...asked,
            })
      let wasShown = !items[0]
      const tell = (what: string, more?: object): void =>
        client.track(`recommendation_${what}`, {
          context: visitor || {},
          properties: { placement, recommendationId, ...more },
        })
      return {
        ...{ recommendationId, placement, variant, items },
        shown() {
          if (!wasShown) tell('shown')
          wasShown = true
        },
        clicked: (productId) => tell('clicked', { productId }),
      }
    },
    viewed(productId, visitor = context) {
      remember(() => [productId], 'product_viewed')
      client.track('product_viewed', { context: visitor || {}, properties: { productId } })
    },
    order(placed, visitor = context) {
      remember(() => placed.items.map(({ itemId }) => itemId), 'order')
      order(client, placed, visitor || {})
    },
    setTracking(wanted) {
      remembers = wanted
      if (!wanted) stored(() => [])
      client.setTracking(wanted)
    },
  }
}

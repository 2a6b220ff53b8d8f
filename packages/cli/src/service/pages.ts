const longestPage = 100

interface Page<Item> {
  data: Item[]
  page: { nextCursor: string | null; hasMore: boolean }
}

/** All items of a list, page by page, or the first `limit`. */
export async function allOf<Item>(
  read: (query: { limit: number; cursor?: string }) => Promise<{ data?: Page<Item> }>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = null; ; ) {
    const left = limit - items.length
    const { data } = await read({ limit: Math.min(longestPage, left), ...(cursor !== null && { cursor }) })
    items.push(...data!.data)
    cursor = data!.page.nextCursor
    if (!data!.page.hasMore || cursor === null || items.length >= limit) return items
  }
}

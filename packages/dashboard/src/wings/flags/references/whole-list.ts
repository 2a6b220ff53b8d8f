interface Page<Row> {
  data: Row[]
  page: { nextCursor: string | null }
}

/** Every page of a list whose length the service limits to a few pages. */
export async function wholeList<Row>(read: (cursor: string | undefined) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const { data, page } = await read(cursor)
    rows.push(...data)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return rows
}

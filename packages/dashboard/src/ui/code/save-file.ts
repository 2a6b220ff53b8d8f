/** Downloads a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Downloads the file that the service answered, under the name that it gives. */
export function saveAnswer({ data, response }: { data?: Blob; response: Response }, otherName: string): void {
  const named = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(named ?? otherName, data!)
}

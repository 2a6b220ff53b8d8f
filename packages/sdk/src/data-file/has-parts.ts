/** Whether the client can have a stream and a store. The smaller script for pages has neither. */
export const hasParts = true

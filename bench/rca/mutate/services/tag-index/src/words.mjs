/** What separates tags, and what a tag is. */
export const tag = /^#[a-z]+(?:_[a-z]+)*$/;
export const version = /^v\d+(?:\.\d+)*$/;
export const quoted = /^"(?:[^"]+)"$/;

const host = /^https?:\/\/[a-z\d]+(?:\.[a-z\d]+)+(?:\/[\w]+)*$/;

export const isAbsolute = (target) => host.test(target);

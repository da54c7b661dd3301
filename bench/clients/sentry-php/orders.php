<?php

require __DIR__ . '/vendor/autoload.php';

Sentry\init();

function totalOf(array $placed): int
{
    return count($placed['lines'] ?? null);
}

totalOf([]);

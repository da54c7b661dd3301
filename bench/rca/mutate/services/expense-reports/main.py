from expenses.cli import main

MARCH = """date,employee,category,amount,currency,receipt
2025-03-01,ada,travel,120.50,EUR,r1.pdf
2025-03-03,bo,meals,310,NOK,
2025-03-09,ada,hotel,"1,020.00",USD,r2.pdf
2025-03-12,cy,meals,18.20,EUR,r3.pdf
"""
APRIL = """date,employee,category,amount,currency,receipt
2025-04-02,bo,travel,89.90,EUR,r4.pdf
2025-04-30,ada,meals,25,EUR,r5.pdf
"""

if __name__ == "__main__":
    main([("march.csv", MARCH), ("april.csv", APRIL)])
